"use strict";
// Loads the new content of the page every few seconds and keeps the scroll position.

const PERIOD = 3000;

const update = async () => {
  try {
    const answer = await fetch(location.href, { cache: "no-store" });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const name of ["header", "main", "footer"]) {
      const [old, now] = [document.querySelector(`body > ${name}`), fresh.querySelector(`body > ${name}`)];
      if (old && now && old.innerHTML !== now.innerHTML) old.replaceWith(document.adoptNode(now));
    }
    document.title = fresh.title;
  } catch {
    document.querySelector("body > footer").textContent = "The server does not answer. It was stopped, or it is busy.";
  }
  setTimeout(update, PERIOD);
};
setTimeout(update, PERIOD);
