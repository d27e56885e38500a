# Reading with the workers of a Dask cluster.

cluster-cannot-use-dask = cannot use Dask
cluster-not-installed = it is not installed
cluster-install-dask = Install it: pip install 'stepscope[dask]'.
cluster-cannot-use-scheduler = cannot use the Dask scheduler { $address }
cluster-no-answer = it does not answer
cluster-name-scheduler = Name one, as in tcp://host:8786.
cluster-no-workers = it has no workers
cluster-start-workers = Start some: dask worker ADDRESS.
cluster-cannot-use-workers = cannot use the Dask workers
cluster-workers-lack-stepscope = they lack stepscope, or have another version of it
cluster-install-same = Install the same version there.
cluster-cannot-use-what-was-read = cannot use what the Dask workers read
cluster-folder-not-here = they wrote it to { $folder }, which is not there for this machine
cluster-share-cache = Set STEPSCOPE_CACHE here to a folder that all of them share.
