"""Plant species from the silhouettes of leaves."""

from pathlib import Path

import pandas as pd

from mlebench.preparation import (
    extract,
    one_hot,
    read_csv,
    read_member,
    shuffle_rows,
    split_each_group,
    train_test_split,
    write_csv,
)


def prepare(raw: Path, public: Path, private: Path) -> None:
    train, test = train_test_split(read_leaves(raw), test_size=0.1)
    write_leaves(train, test, raw, public, private)


def prepare_v2(raw: Path, public: Path, private: Path) -> None:
    leaves = read_leaves(raw)
    train, test = (shuffle_rows(leaves.iloc[part]) for part in split_each_group(leaves["species"], test_size=0.2))
    write_leaves(train, test, raw, public, private)


def read_leaves(raw: Path) -> pd.DataFrame:
    return read_csv(read_member(raw / "train.csv.zip", "train.csv"))


def write_leaves(train: pd.DataFrame, test: pd.DataFrame, raw: Path, public: Path, private: Path) -> None:
    answers = one_hot(test, "id", "species", SPECIES)
    write_csv(train, public / "train.csv")
    write_csv(test.drop(columns="species"), public / "test.csv")
    write_csv(answers.assign(**dict.fromkeys(SPECIES, 1 / len(SPECIES))), public / "sample_submission.csv")
    write_csv(answers, private / "test.csv")

    pictures = {f"images/{leaf}.jpg" for part in (train, test) for leaf in part["id"]}
    extract(raw / "images.zip", public, want=lambda name: name if name in pictures else None, expect=len(pictures))


SPECIES = """
Acer_Capillipes Acer_Circinatum Acer_Mono Acer_Opalus Acer_Palmatum Acer_Pictum Acer_Platanoids Acer_Rubrum
Acer_Rufinerve Acer_Saccharinum Alnus_Cordata Alnus_Maximowiczii Alnus_Rubra Alnus_Sieboldiana Alnus_Viridis
Arundinaria_Simonii Betula_Austrosinensis Betula_Pendula Callicarpa_Bodinieri Castanea_Sativa
Celtis_Koraiensis Cercis_Siliquastrum Cornus_Chinensis Cornus_Controversa Cornus_Macrophylla
Cotinus_Coggygria Crataegus_Monogyna Cytisus_Battandieri Eucalyptus_Glaucescens Eucalyptus_Neglecta
Eucalyptus_Urnigera Fagus_Sylvatica Ginkgo_Biloba Ilex_Aquifolium Ilex_Cornuta Liquidambar_Styraciflua
Liriodendron_Tulipifera Lithocarpus_Cleistocarpus Lithocarpus_Edulis Magnolia_Heptapeta Magnolia_Salicifolia
Morus_Nigra Olea_Europaea Phildelphus Populus_Adenopoda Populus_Grandidentata Populus_Nigra Prunus_Avium
Prunus_X_Shmittii Pterocarya_Stenoptera Quercus_Afares Quercus_Agrifolia Quercus_Alnifolia Quercus_Brantii
Quercus_Canariensis Quercus_Castaneifolia Quercus_Cerris Quercus_Chrysolepis Quercus_Coccifera
Quercus_Coccinea Quercus_Crassifolia Quercus_Crassipes Quercus_Dolicholepis Quercus_Ellipsoidalis
Quercus_Greggii Quercus_Hartwissiana Quercus_Ilex Quercus_Imbricaria Quercus_Infectoria_sub Quercus_Kewensis
Quercus_Nigra Quercus_Palustris Quercus_Phellos Quercus_Phillyraeoides Quercus_Pontica Quercus_Pubescens
Quercus_Pyrenaica Quercus_Rhysophylla Quercus_Rubra Quercus_Semecarpifolia Quercus_Shumardii Quercus_Suber
Quercus_Texana Quercus_Trojana Quercus_Variabilis Quercus_Vulcanica Quercus_x_Hispanica Quercus_x_Turneri
Rhododendron_x_Russellianum Salix_Fragilis Salix_Intergra Sorbus_Aria Tilia_Oliveri Tilia_Platyphyllos
Tilia_Tomentosa Ulmus_Bergmanniana Viburnum_Tinus Viburnum_x_Rhytidophylloides Zelkova_Serrata
""".split()
