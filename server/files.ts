import { join } from 'node:path'
import { ROOT } from '../local/root.ts'
import { placesIn } from './places.ts'

/** Returns a systemd unit that runs the service as its own user. */
export const unitText = (data: string, user: string): string => `[Unit]
Description=Galley
After=network-online.target postgresql.service redis-server.service
Wants=network-online.target

[Service]
User=${user}
Group=${user}
WorkingDirectory=${placesIn(data).release}
ExecStart=${process.execPath} ${join(placesIn(data).release, 'scripts/run.mjs')} server/main.ts start --data ${data}
Restart=always
RestartSec=2
# Only the first process gets the signal: it lets running requests and jobs end, then stops the others.
KillMode=mixed
TimeoutStopSec=90
NoNewPrivileges=true
CapabilityBoundingSet=
PrivateTmp=true
PrivateDevices=true
ProtectSystem=strict
ProtectHome=${/^\/(?:home|root)\//.test(ROOT) ? 'false' : 'true'}
ReadWritePaths=${data}
ProtectProc=invisible
ProtectClock=true
ProtectHostname=true
ProtectControlGroups=true
ProtectKernelLogs=true
ProtectKernelModules=true
ProtectKernelTunables=true
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=true
RestrictRealtime=true
RestrictSUIDSGID=true
LockPersonality=true
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
UMask=0077
LimitNOFILE=65536

[Install]
WantedBy=multi-user.target
`

/** Returns a configuration of Caddy, which gets the certificate by itself. */
export const caddyText = (publicUrl: string, listen: string): string => `${new URL(publicUrl).host} {
	request_body {
		max_size 100MB
	}
	reverse_proxy ${listen} {
		# A start takes some seconds. Requests wait for it.
		lb_try_duration 30s
	}
}
`
