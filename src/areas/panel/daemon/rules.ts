import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { type Instant, instant, MINUTE_MS, millis } from '#lib/time.ts'
import type { Row } from '#platform/database/index.ts'
import { isStorable } from '#platform/http/body.ts'
import { isUuid } from './endpoints.ts'

type Fields = Record<string, unknown>

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {}
}

export type InstallReport = { successful: boolean; reinstall: boolean }

/** How an installation ended; null if the body lacks that. Old daemons leave `reinstall` out. */
export function installIn(body: unknown): InstallReport | null {
  const { successful, reinstall } = fieldsOf(body)
  return typeof successful === 'boolean' ? { successful, reinstall: reinstall === true } : null
}

const STATES = ['offline', 'starting', 'running', 'stopping'] as const
export type ServerState = (typeof STATES)[number]
export type StateReport = { previous: ServerState | null; next: ServerState }

/** The new state of a server; null if the body does not contain one. */
export function stateIn(body: unknown): StateReport | null {
  const data = fieldsOf(fieldsOf(body).data)
  const read = (value: unknown) => STATES.find((state) => state === value) ?? null
  const next = read(data.new_state)
  return next && { previous: read(data.previous_state), next }
}

/** A server that goes offline without having been stopped has crashed. */
export function isCrash({ previous, next }: StateReport): boolean {
  return next === 'offline' && (previous === 'running' || previous === 'starting')
}

export type SftpAnswer = { panelUser: string; serverUuid: string }

/** The user the panel has admitted, and their server; null if the body lacks them. */
export function sftpIn(body: unknown): SftpAnswer | null {
  const { user, server } = fieldsOf(body)
  return isUuid(user) && isUuid(server) ? { panelUser: user, serverUuid: server } : null
}

type InstallFacts = Pick<
  Row<'panel.server_reports'>,
  'installStartedAt' | 'installEndedAt' | 'installSuccessful' | 'reinstall'
>

/** Daemons repeat a report for half a minute if our answer was lost. */
const REPEATED_MS = 2 * MINUTE_MS

/** Whether a report is a repeated one: no installation has begun since the first. */
export function isRepeated(
  known: InstallFacts,
  { successful, reinstall }: InstallReport,
  now: Instant,
): boolean {
  const { installStartedAt: started, installEndedAt: ended } = known
  if (!ended || known.installSuccessful !== successful || known.reinstall !== reinstall)
    return false
  if (started) return started <= ended
  return millis(now) - millis(ended) < REPEATED_MS
}

export type Activity = {
  serverUuid: string
  fingerprint: Buffer
  event: string
  panelUser: string | null
  ip: string | null
  metadata: Fields
  happenedAt: Instant
  happened: string
}

const MOST_ENTRIES = 1000
const LONGEST_EVENT = 100
const LONGEST_INSTANT = 40
const LARGEST_METADATA = 4000

/**
 * The readable entries of a list of activity: one bad entry must not block the others, because a
 * daemon repeats a refused list for ever. Null if the body is not a list.
 */
export function activityIn(body: unknown): Activity[] | null {
  const { data = null } = fieldsOf(body)
  if (data === null) return []
  if (!Array.isArray(data)) return null
  return data.slice(0, MOST_ENTRIES).flatMap((entry) => entryOf(fieldsOf(entry)) ?? [])
}

function entryOf({ server, event, user, metadata, ip, timestamp }: Fields): Activity | null {
  if (!isUuid(server) || typeof event !== 'string' || typeof timestamp !== 'string') return null
  if (!event.startsWith('server:') || event.length > LONGEST_EVENT) return null
  const happenedAt = instantOf(timestamp)
  const details = fieldsOf(metadata)
  if (!happenedAt || !isStorable([event, details, Object.keys(details)])) return null
  const panelUser = isUuid(user) ? user : null
  const text = JSON.stringify(details)
  return {
    ...{ serverUuid: server, event, panelUser, happenedAt, happened: timestamp },
    ip: typeof ip === 'string' && isIP(ip) > 0 && !ip.includes('%') ? ip : null,
    metadata: text.length > LARGEST_METADATA ? { truncated: true } : details,
    fingerprint: createHash('sha256')
      .update(JSON.stringify([server, event, panelUser, timestamp, text]))
      .digest(),
  }
}

/** Daemons count nanoseconds; we store the precision of a Date. */
function instantOf(text: string): Instant | null {
  if (text.length > LONGEST_INSTANT || !/^20\d\d-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text)) {
    return null
  }
  return Number.isNaN(Date.parse(text)) ? null : instant(text)
}
