# Words for the values of columns that have few.

value-cause-host_late = late launch
value-cause-sync = synchronization
value-cause-data_loading = data loading
value-cause-memory_copy = memory copy
value-cause-communication_wait = waiting for communication
value-cause-launch_latency = launch latency
value-cause-dependency = inter-kernel gap
value-cause-unknown = unknown

value-yes = yes
value-no = no
