from mlebench.cli.main import main

main()
