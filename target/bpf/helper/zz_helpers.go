// Code generated from __BPF_FUNC_MAPPER of Linux 6.1's include/uapi/linux/bpf.h and the two helpers of 6.2. DO NOT EDIT.

package helper

// The helpers, by their numbers.
const (
	MapLookupElem              ID = 1
	MapUpdateElem              ID = 2
	MapDeleteElem              ID = 3
	ProbeRead                  ID = 4
	KtimeGetNS                 ID = 5
	TracePrintk                ID = 6
	GetPrandomU32              ID = 7
	GetSmpProcessorID          ID = 8
	SKBStoreBytes              ID = 9
	L3CsumReplace              ID = 10
	L4CsumReplace              ID = 11
	TailCall                   ID = 12
	CloneRedirect              ID = 13
	GetCurrentPIDTGID          ID = 14
	GetCurrentUIDGID           ID = 15
	GetCurrentComm             ID = 16
	GetCgroupClassid           ID = 17
	SKBVLANPush                ID = 18
	SKBVLANPop                 ID = 19
	SKBGetTunnelKey            ID = 20
	SKBSetTunnelKey            ID = 21
	PerfEventRead              ID = 22
	Redirect                   ID = 23
	GetRouteRealm              ID = 24
	PerfEventOutput            ID = 25
	SKBLoadBytes               ID = 26
	GetStackid                 ID = 27
	CsumDiff                   ID = 28
	SKBGetTunnelOpt            ID = 29
	SKBSetTunnelOpt            ID = 30
	SKBChangeProto             ID = 31
	SKBChangeType              ID = 32
	SKBUnderCgroup             ID = 33
	GetHashRecalc              ID = 34
	GetCurrentTask             ID = 35
	ProbeWriteUser             ID = 36
	CurrentTaskUnderCgroup     ID = 37
	SKBChangeTail              ID = 38
	SKBPullData                ID = 39
	CsumUpdate                 ID = 40
	SetHashInvalid             ID = 41
	GetNUMANodeID              ID = 42
	SKBChangeHead              ID = 43
	XDPAdjustHead              ID = 44
	ProbeReadStr               ID = 45
	GetSocketCookie            ID = 46
	GetSocketUID               ID = 47
	SetHash                    ID = 48
	Setsockopt                 ID = 49
	SKBAdjustRoom              ID = 50
	RedirectMap                ID = 51
	SkRedirectMap              ID = 52
	SockMapUpdate              ID = 53
	XDPAdjustMeta              ID = 54
	PerfEventReadValue         ID = 55
	PerfProgReadValue          ID = 56
	Getsockopt                 ID = 57
	OverrideReturn             ID = 58
	SockOpsCbFlagsSet          ID = 59
	MsgRedirectMap             ID = 60
	MsgApplyBytes              ID = 61
	MsgCorkBytes               ID = 62
	MsgPullData                ID = 63
	Bind                       ID = 64
	XDPAdjustTail              ID = 65
	SKBGetXfrmState            ID = 66
	GetStack                   ID = 67
	SKBLoadBytesRelative       ID = 68
	FIBLookup                  ID = 69
	SockHashUpdate             ID = 70
	MsgRedirectHash            ID = 71
	SkRedirectHash             ID = 72
	LWTPushEncap               ID = 73
	LWTSeg6StoreBytes          ID = 74
	LWTSeg6AdjustSrh           ID = 75
	LWTSeg6Action              ID = 76
	RCRepeat                   ID = 77
	RCKeydown                  ID = 78
	SKBCgroupID                ID = 79
	GetCurrentCgroupID         ID = 80
	GetLocalStorage            ID = 81
	SkSelectReuseport          ID = 82
	SKBAncestorCgroupID        ID = 83
	SkLookupTCP                ID = 84
	SkLookupUDP                ID = 85
	SkRelease                  ID = 86
	MapPushElem                ID = 87
	MapPopElem                 ID = 88
	MapPeekElem                ID = 89
	MsgPushData                ID = 90
	MsgPopData                 ID = 91
	RCPointerRel               ID = 92
	SpinLock                   ID = 93
	SpinUnlock                 ID = 94
	SkFullsock                 ID = 95
	TCPSock                    ID = 96
	SKBEcnSetCe                ID = 97
	GetListenerSock            ID = 98
	SkcLookupTCP               ID = 99
	TCPCheckSyncookie          ID = 100
	SysctlGetName              ID = 101
	SysctlGetCurrentValue      ID = 102
	SysctlGetNewValue          ID = 103
	SysctlSetNewValue          ID = 104
	Strtol                     ID = 105
	Strtoul                    ID = 106
	SkStorageGet               ID = 107
	SkStorageDelete            ID = 108
	SendSignal                 ID = 109
	TCPGenSyncookie            ID = 110
	SKBOutput                  ID = 111
	ProbeReadUser              ID = 112
	ProbeReadKernel            ID = 113
	ProbeReadUserStr           ID = 114
	ProbeReadKernelStr         ID = 115
	TCPSendAck                 ID = 116
	SendSignalThread           ID = 117
	Jiffies64                  ID = 118
	ReadBranchRecords          ID = 119
	GetNSCurrentPIDTGID        ID = 120
	XDPOutput                  ID = 121
	GetNetnsCookie             ID = 122
	GetCurrentAncestorCgroupID ID = 123
	SkAssign                   ID = 124
	KtimeGetBootNS             ID = 125
	SeqPrintf                  ID = 126
	SeqWrite                   ID = 127
	SkCgroupID                 ID = 128
	SkAncestorCgroupID         ID = 129
	RingbufOutput              ID = 130
	RingbufReserve             ID = 131
	RingbufSubmit              ID = 132
	RingbufDiscard             ID = 133
	RingbufQuery               ID = 134
	CsumLevel                  ID = 135
	SkcToTcp6Sock              ID = 136
	SkcToTCPSock               ID = 137
	SkcToTCPTimewaitSock       ID = 138
	SkcToTCPRequestSock        ID = 139
	SkcToUdp6Sock              ID = 140
	GetTaskStack               ID = 141
	LoadHdrOpt                 ID = 142
	StoreHdrOpt                ID = 143
	ReserveHdrOpt              ID = 144
	InodeStorageGet            ID = 145
	InodeStorageDelete         ID = 146
	DPath                      ID = 147
	CopyFromUser               ID = 148
	SnprintfBTF                ID = 149
	SeqPrintfBTF               ID = 150
	SKBCgroupClassid           ID = 151
	RedirectNeigh              ID = 152
	PerCPUPtr                  ID = 153
	ThisCPUPtr                 ID = 154
	RedirectPeer               ID = 155
	TaskStorageGet             ID = 156
	TaskStorageDelete          ID = 157
	GetCurrentTaskBTF          ID = 158
	BprmOptsSet                ID = 159
	KtimeGetCoarseNS           ID = 160
	IMAInodeHash               ID = 161
	SockFromFile               ID = 162
	CheckMTU                   ID = 163
	ForEachMapElem             ID = 164
	Snprintf                   ID = 165
	SysBpf                     ID = 166
	BTFFindByNameKind          ID = 167
	SysClose                   ID = 168
	TimerInit                  ID = 169
	TimerSetCallback           ID = 170
	TimerStart                 ID = 171
	TimerCancel                ID = 172
	GetFuncIP                  ID = 173
	GetAttachCookie            ID = 174
	TaskPtRegs                 ID = 175
	GetBranchSnapshot          ID = 176
	TraceVprintk               ID = 177
	SkcToUnixSock              ID = 178
	KallsymsLookupName         ID = 179
	FindVma                    ID = 180
	Loop                       ID = 181
	Strncmp                    ID = 182
	GetFuncArg                 ID = 183
	GetFuncRet                 ID = 184
	GetFuncArgCnt              ID = 185
	GetRetval                  ID = 186
	SetRetval                  ID = 187
	XDPGetBuffLen              ID = 188
	XDPLoadBytes               ID = 189
	XDPStoreBytes              ID = 190
	CopyFromUserTask           ID = 191
	SKBSetTstamp               ID = 192
	IMAFileHash                ID = 193
	KptrXchg                   ID = 194
	MapLookupPercpuElem        ID = 195
	SkcToMptcpSock             ID = 196
	DynptrFromMem              ID = 197
	RingbufReserveDynptr       ID = 198
	RingbufSubmitDynptr        ID = 199
	RingbufDiscardDynptr       ID = 200
	DynptrRead                 ID = 201
	DynptrWrite                ID = 202
	DynptrData                 ID = 203
	TCPRawGenSyncookieIPv4     ID = 204
	TCPRawGenSyncookieIPv6     ID = 205
	TCPRawCheckSyncookieIPv4   ID = 206
	TCPRawCheckSyncookieIPv6   ID = 207
	KtimeGetTAINS              ID = 208
	UserRingbufDrain           ID = 209
	CgrpStorageGet             ID = 210
	CgrpStorageDelete          ID = 211
)

// names are the helpers' names in C without bpf_, by number.
var names = [...]string{
	MapLookupElem:              "map_lookup_elem",
	MapUpdateElem:              "map_update_elem",
	MapDeleteElem:              "map_delete_elem",
	ProbeRead:                  "probe_read",
	KtimeGetNS:                 "ktime_get_ns",
	TracePrintk:                "trace_printk",
	GetPrandomU32:              "get_prandom_u32",
	GetSmpProcessorID:          "get_smp_processor_id",
	SKBStoreBytes:              "skb_store_bytes",
	L3CsumReplace:              "l3_csum_replace",
	L4CsumReplace:              "l4_csum_replace",
	TailCall:                   "tail_call",
	CloneRedirect:              "clone_redirect",
	GetCurrentPIDTGID:          "get_current_pid_tgid",
	GetCurrentUIDGID:           "get_current_uid_gid",
	GetCurrentComm:             "get_current_comm",
	GetCgroupClassid:           "get_cgroup_classid",
	SKBVLANPush:                "skb_vlan_push",
	SKBVLANPop:                 "skb_vlan_pop",
	SKBGetTunnelKey:            "skb_get_tunnel_key",
	SKBSetTunnelKey:            "skb_set_tunnel_key",
	PerfEventRead:              "perf_event_read",
	Redirect:                   "redirect",
	GetRouteRealm:              "get_route_realm",
	PerfEventOutput:            "perf_event_output",
	SKBLoadBytes:               "skb_load_bytes",
	GetStackid:                 "get_stackid",
	CsumDiff:                   "csum_diff",
	SKBGetTunnelOpt:            "skb_get_tunnel_opt",
	SKBSetTunnelOpt:            "skb_set_tunnel_opt",
	SKBChangeProto:             "skb_change_proto",
	SKBChangeType:              "skb_change_type",
	SKBUnderCgroup:             "skb_under_cgroup",
	GetHashRecalc:              "get_hash_recalc",
	GetCurrentTask:             "get_current_task",
	ProbeWriteUser:             "probe_write_user",
	CurrentTaskUnderCgroup:     "current_task_under_cgroup",
	SKBChangeTail:              "skb_change_tail",
	SKBPullData:                "skb_pull_data",
	CsumUpdate:                 "csum_update",
	SetHashInvalid:             "set_hash_invalid",
	GetNUMANodeID:              "get_numa_node_id",
	SKBChangeHead:              "skb_change_head",
	XDPAdjustHead:              "xdp_adjust_head",
	ProbeReadStr:               "probe_read_str",
	GetSocketCookie:            "get_socket_cookie",
	GetSocketUID:               "get_socket_uid",
	SetHash:                    "set_hash",
	Setsockopt:                 "setsockopt",
	SKBAdjustRoom:              "skb_adjust_room",
	RedirectMap:                "redirect_map",
	SkRedirectMap:              "sk_redirect_map",
	SockMapUpdate:              "sock_map_update",
	XDPAdjustMeta:              "xdp_adjust_meta",
	PerfEventReadValue:         "perf_event_read_value",
	PerfProgReadValue:          "perf_prog_read_value",
	Getsockopt:                 "getsockopt",
	OverrideReturn:             "override_return",
	SockOpsCbFlagsSet:          "sock_ops_cb_flags_set",
	MsgRedirectMap:             "msg_redirect_map",
	MsgApplyBytes:              "msg_apply_bytes",
	MsgCorkBytes:               "msg_cork_bytes",
	MsgPullData:                "msg_pull_data",
	Bind:                       "bind",
	XDPAdjustTail:              "xdp_adjust_tail",
	SKBGetXfrmState:            "skb_get_xfrm_state",
	GetStack:                   "get_stack",
	SKBLoadBytesRelative:       "skb_load_bytes_relative",
	FIBLookup:                  "fib_lookup",
	SockHashUpdate:             "sock_hash_update",
	MsgRedirectHash:            "msg_redirect_hash",
	SkRedirectHash:             "sk_redirect_hash",
	LWTPushEncap:               "lwt_push_encap",
	LWTSeg6StoreBytes:          "lwt_seg6_store_bytes",
	LWTSeg6AdjustSrh:           "lwt_seg6_adjust_srh",
	LWTSeg6Action:              "lwt_seg6_action",
	RCRepeat:                   "rc_repeat",
	RCKeydown:                  "rc_keydown",
	SKBCgroupID:                "skb_cgroup_id",
	GetCurrentCgroupID:         "get_current_cgroup_id",
	GetLocalStorage:            "get_local_storage",
	SkSelectReuseport:          "sk_select_reuseport",
	SKBAncestorCgroupID:        "skb_ancestor_cgroup_id",
	SkLookupTCP:                "sk_lookup_tcp",
	SkLookupUDP:                "sk_lookup_udp",
	SkRelease:                  "sk_release",
	MapPushElem:                "map_push_elem",
	MapPopElem:                 "map_pop_elem",
	MapPeekElem:                "map_peek_elem",
	MsgPushData:                "msg_push_data",
	MsgPopData:                 "msg_pop_data",
	RCPointerRel:               "rc_pointer_rel",
	SpinLock:                   "spin_lock",
	SpinUnlock:                 "spin_unlock",
	SkFullsock:                 "sk_fullsock",
	TCPSock:                    "tcp_sock",
	SKBEcnSetCe:                "skb_ecn_set_ce",
	GetListenerSock:            "get_listener_sock",
	SkcLookupTCP:               "skc_lookup_tcp",
	TCPCheckSyncookie:          "tcp_check_syncookie",
	SysctlGetName:              "sysctl_get_name",
	SysctlGetCurrentValue:      "sysctl_get_current_value",
	SysctlGetNewValue:          "sysctl_get_new_value",
	SysctlSetNewValue:          "sysctl_set_new_value",
	Strtol:                     "strtol",
	Strtoul:                    "strtoul",
	SkStorageGet:               "sk_storage_get",
	SkStorageDelete:            "sk_storage_delete",
	SendSignal:                 "send_signal",
	TCPGenSyncookie:            "tcp_gen_syncookie",
	SKBOutput:                  "skb_output",
	ProbeReadUser:              "probe_read_user",
	ProbeReadKernel:            "probe_read_kernel",
	ProbeReadUserStr:           "probe_read_user_str",
	ProbeReadKernelStr:         "probe_read_kernel_str",
	TCPSendAck:                 "tcp_send_ack",
	SendSignalThread:           "send_signal_thread",
	Jiffies64:                  "jiffies64",
	ReadBranchRecords:          "read_branch_records",
	GetNSCurrentPIDTGID:        "get_ns_current_pid_tgid",
	XDPOutput:                  "xdp_output",
	GetNetnsCookie:             "get_netns_cookie",
	GetCurrentAncestorCgroupID: "get_current_ancestor_cgroup_id",
	SkAssign:                   "sk_assign",
	KtimeGetBootNS:             "ktime_get_boot_ns",
	SeqPrintf:                  "seq_printf",
	SeqWrite:                   "seq_write",
	SkCgroupID:                 "sk_cgroup_id",
	SkAncestorCgroupID:         "sk_ancestor_cgroup_id",
	RingbufOutput:              "ringbuf_output",
	RingbufReserve:             "ringbuf_reserve",
	RingbufSubmit:              "ringbuf_submit",
	RingbufDiscard:             "ringbuf_discard",
	RingbufQuery:               "ringbuf_query",
	CsumLevel:                  "csum_level",
	SkcToTcp6Sock:              "skc_to_tcp6_sock",
	SkcToTCPSock:               "skc_to_tcp_sock",
	SkcToTCPTimewaitSock:       "skc_to_tcp_timewait_sock",
	SkcToTCPRequestSock:        "skc_to_tcp_request_sock",
	SkcToUdp6Sock:              "skc_to_udp6_sock",
	GetTaskStack:               "get_task_stack",
	LoadHdrOpt:                 "load_hdr_opt",
	StoreHdrOpt:                "store_hdr_opt",
	ReserveHdrOpt:              "reserve_hdr_opt",
	InodeStorageGet:            "inode_storage_get",
	InodeStorageDelete:         "inode_storage_delete",
	DPath:                      "d_path",
	CopyFromUser:               "copy_from_user",
	SnprintfBTF:                "snprintf_btf",
	SeqPrintfBTF:               "seq_printf_btf",
	SKBCgroupClassid:           "skb_cgroup_classid",
	RedirectNeigh:              "redirect_neigh",
	PerCPUPtr:                  "per_cpu_ptr",
	ThisCPUPtr:                 "this_cpu_ptr",
	RedirectPeer:               "redirect_peer",
	TaskStorageGet:             "task_storage_get",
	TaskStorageDelete:          "task_storage_delete",
	GetCurrentTaskBTF:          "get_current_task_btf",
	BprmOptsSet:                "bprm_opts_set",
	KtimeGetCoarseNS:           "ktime_get_coarse_ns",
	IMAInodeHash:               "ima_inode_hash",
	SockFromFile:               "sock_from_file",
	CheckMTU:                   "check_mtu",
	ForEachMapElem:             "for_each_map_elem",
	Snprintf:                   "snprintf",
	SysBpf:                     "sys_bpf",
	BTFFindByNameKind:          "btf_find_by_name_kind",
	SysClose:                   "sys_close",
	TimerInit:                  "timer_init",
	TimerSetCallback:           "timer_set_callback",
	TimerStart:                 "timer_start",
	TimerCancel:                "timer_cancel",
	GetFuncIP:                  "get_func_ip",
	GetAttachCookie:            "get_attach_cookie",
	TaskPtRegs:                 "task_pt_regs",
	GetBranchSnapshot:          "get_branch_snapshot",
	TraceVprintk:               "trace_vprintk",
	SkcToUnixSock:              "skc_to_unix_sock",
	KallsymsLookupName:         "kallsyms_lookup_name",
	FindVma:                    "find_vma",
	Loop:                       "loop",
	Strncmp:                    "strncmp",
	GetFuncArg:                 "get_func_arg",
	GetFuncRet:                 "get_func_ret",
	GetFuncArgCnt:              "get_func_arg_cnt",
	GetRetval:                  "get_retval",
	SetRetval:                  "set_retval",
	XDPGetBuffLen:              "xdp_get_buff_len",
	XDPLoadBytes:               "xdp_load_bytes",
	XDPStoreBytes:              "xdp_store_bytes",
	CopyFromUserTask:           "copy_from_user_task",
	SKBSetTstamp:               "skb_set_tstamp",
	IMAFileHash:                "ima_file_hash",
	KptrXchg:                   "kptr_xchg",
	MapLookupPercpuElem:        "map_lookup_percpu_elem",
	SkcToMptcpSock:             "skc_to_mptcp_sock",
	DynptrFromMem:              "dynptr_from_mem",
	RingbufReserveDynptr:       "ringbuf_reserve_dynptr",
	RingbufSubmitDynptr:        "ringbuf_submit_dynptr",
	RingbufDiscardDynptr:       "ringbuf_discard_dynptr",
	DynptrRead:                 "dynptr_read",
	DynptrWrite:                "dynptr_write",
	DynptrData:                 "dynptr_data",
	TCPRawGenSyncookieIPv4:     "tcp_raw_gen_syncookie_ipv4",
	TCPRawGenSyncookieIPv6:     "tcp_raw_gen_syncookie_ipv6",
	TCPRawCheckSyncookieIPv4:   "tcp_raw_check_syncookie_ipv4",
	TCPRawCheckSyncookieIPv6:   "tcp_raw_check_syncookie_ipv6",
	KtimeGetTAINS:              "ktime_get_tai_ns",
	UserRingbufDrain:           "user_ringbuf_drain",
	CgrpStorageGet:             "cgrp_storage_get",
	CgrpStorageDelete:          "cgrp_storage_delete",
}
