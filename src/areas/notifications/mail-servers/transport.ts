import type { Socket } from 'node:net'
import { createTransport, type SendMailOptions, type Transporter } from 'nodemailer'
import { type Instant, later, MINUTE_MS } from '#lib/time.ts'
import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/database/index.ts'
import type { Deps } from '#platform/deps.ts'
import { traced } from '#platform/tracing/index.ts'
import { boundTo } from './actions.ts'
import { findMailServer, type MailServerRow } from './queries.ts'

const SEND_MS = MINUTE_MS
const SET_UP_MS = MINUTE_MS / 4
/** How long the mails of a shop go through the installation's server before its own is tried again. */
const SPARED_MS = 5 * MINUTE_MS

/** Whether mails of a tenant are sent at all: through its own server or the installation's. */
export async function hasMailServer(db: Db, config: Config, tenantId: string): Promise<boolean> {
  return config.smtpUrl !== null || (await findMailServer(db, tenantId)) !== undefined
}

/** The mail server that a mail goes through. */
export type Route =
  | { readonly server: 'own'; readonly row: MailServerRow }
  | { readonly server: 'platform'; readonly url: string }

type Servers = { own: MailServerRow | undefined; smtpUrl: string | null }

/**
 * The server for the next mail: the shop's own, or the installation's if the shop has none or its own has
 * just failed. Null if there is neither.
 */
export function routeFor({ own, smtpUrl }: Servers, now: Instant): Route | null {
  const platform = smtpUrl === null ? null : ({ server: 'platform', url: smtpUrl } as const)
  if (!own) return platform
  const hasJustFailed =
    own.fault !== null && own.checkedAt && own.checkedAt > later(now, -SPARED_MS)
  return hasJustFailed && platform ? platform : { server: 'own', row: own }
}

type Senders = Pick<Deps, 'secrets' | 'outbound'>

/** Sends a mail over a route. Throws the error of the mail server, or an `OutboundError`. */
export async function sendOver(
  deps: Senders,
  route: Route,
  envelope: SendMailOptions,
): Promise<void> {
  const transport =
    route.server === 'own' ? transportOf(deps, route.row) : platformTransport(route.url)
  await traced('SMTP', { kind: 'client' }, () => transport.sendMail(envelope))
}

/** Whether a failure concerns the server as a whole, not one recipient or one message. */
export function isServerFault(error: unknown): boolean {
  const command = error instanceof Error && 'command' in error ? error.command : null
  return command !== 'RCPT TO' && command !== 'DATA'
}

const LIMITS = { pool: true, connectionTimeout: SEND_MS, socketTimeout: SEND_MS } as const
const CLOSED = { disableFileAccess: true, disableUrlAccess: true } as const

const platformTransports = new Map<string, Transporter>()

function platformTransport(url: string): Transporter {
  let transport = platformTransports.get(url)
  if (!transport) {
    transport = createTransport({ ...LIMITS, url }, CLOSED)
    platformTransports.set(url, transport)
  }
  return transport
}

type Kept = { readonly edition: string; readonly transport: Transporter }

const ownTransports = new Map<string, Kept>()

/** The connections to the server of a tenant; new ones after its settings have changed. */
function transportOf(deps: Senders, row: MailServerRow): Transporter {
  const known = ownTransports.get(row.tenantId)
  if (known?.edition === row.edition) return known.transport
  known?.transport.close()
  const transport = createTransport(optionsOf(deps, row), CLOSED)
  ownTransports.set(row.tenantId, { edition: row.edition, transport })
  return transport
}

function optionsOf({ secrets, outbound }: Senders, row: MailServerRow) {
  const { tenantId, host, port, security, username, sealedPassword } = row
  const { connectMail } = outbound.for({ tenantId, purpose: 'mail' })
  const signIn = username !== null && sealedPassword !== null
  return {
    ...{ ...LIMITS, host, port, connectionTimeout: SET_UP_MS, greetingTimeout: SET_UP_MS },
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(signIn && { auth: { user: username, pass: secrets.open(sealedPassword, boundTo(row)) } }),
    getSocket(
      _options: object,
      done: (error: Error | null, socket: { connection: Socket } | false) => void,
    ) {
      connectMail({ host, port }).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error, false),
      )
    },
  }
}
