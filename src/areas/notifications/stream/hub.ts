import type { Readable } from 'node:stream'
import type { Caller } from '#lib/caller.ts'
import { isId } from '#lib/id.ts'
import { Problem, unavailable } from '#lib/problem.ts'
import { SECOND_MS } from '#lib/time.ts'
import type { Deps } from '#platform/deps.ts'
import { findTenant } from '#tenants'
import { listLiveApiKeys, listLiveSessions } from '#users'
import { countUnread } from '../queries.ts'
import { countUnreadOf, findLast, findPlace, listByIds, listMissed } from './queries.ts'
import {
  BEGINNING,
  type LiveKind,
  MOST_MISSED,
  MOST_STREAMS,
  MOST_STREAMS_OF_ONE,
  retryText,
  textOf,
} from './rules.ts'
import { Subscriber } from './subscriber.ts'

/** A message from the database about a commit: new notifications, people who have read some, or a live event. */
type Heard = { t: string; n?: [userId: string, id: string][]; u?: string[]; l?: Live }
type Live = { to: string[]; event: LiveKind; data: object }

/** A tenant's committed changes that are not sent to the streams yet, in the order of the commits. */
type News = { ids: Set<string>; userIds: Set<string> }

const CHANNEL = 'notifications'
const BEAT_TICKS = 15
const LAST_WORDS_MS = 500
const READ_AT_ONCE = 200
const CATCH_UP_AT_ONCE = 5
/** With more changes than this at once, it is cheaper that every reader reconnects and reads again. */
const MOST_NEWS = 20_000

/**
 * Sends new notifications to the open streams of this process. The database reports them,
 * whichever process wrote them, and they are read for all readers at once: a stream costs no extra queries.
 */
export class Hub {
  readonly #deps: Deps
  readonly #people = new Map<string, Set<Subscriber>>()
  #open = 0
  #news = new Map<string, News>()
  #newsSize = 0
  #telling = false
  #closed = false
  #ticks = 0
  #ticking = false
  #timer: NodeJS.Timeout | null = null
  #listening: Promise<() => Promise<void>> | null = null

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /**
   * Opens a stream, beginning with what its reader missed since a notification; null: from now on. 429 if
   * they have too many streams, 503 if this process has too many or is ending.
   */
  async open(caller: Caller, cursor: string | null): Promise<Readable> {
    if (this.#closed || this.#open >= MOST_STREAMS) throw unavailable('No more streams here.')
    const key = keyOf(caller)
    const own = this.#people.get(key) ?? new Set()
    if (own.size >= MOST_STREAMS_OF_ONE) throw tooManyStreams()
    const subscriber = new Subscriber(caller, cursor)
    // Registered before anything is read, so that every later commit reaches it.
    this.#people.set(key, own.add(subscriber))
    this.#open += 1
    this.#deps.metrics.openStreams.set(this.#open)
    subscriber.body.once('close', () => this.#remove(key, subscriber))
    this.#timer ??= setInterval(() => void this.#tick(), SECOND_MS).unref()
    try {
      await this.#listen()
      subscriber.body.push(retryText(Math.random()))
      await this.#catchUp(subscriber, cursor === null)
    } catch (error) {
      subscriber.cut()
      throw error
    }
    return subscriber.body
  }

  /** Ends every stream and stops listening: the readers reconnect to another process. */
  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer) clearInterval(this.#timer)
    for (const subscriber of this.#all()) subscriber.end('again')
    // Does not wait for readers that stopped reading.
    setTimeout(() => this.#cutAll(), LAST_WORDS_MS).unref()
    const stop = await this.#listening?.catch(() => null)
    await stop?.()
  }

  #cutAll(): void {
    for (const subscriber of this.#all()) subscriber.cut()
  }

  #remove(key: string, subscriber: Subscriber): void {
    const own = this.#people.get(key)
    if (!own?.delete(subscriber)) return
    if (own.size === 0) this.#people.delete(key)
    this.#open -= 1
    this.#deps.metrics.openStreams.set(this.#open)
    if (this.#open > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  #listen(): Promise<unknown> {
    this.#listening ??= this.#deps.database
      .listen(
        CHANNEL,
        (payload) => this.#hear(payload),
        () => void this.#catchAllUp(),
      )
      .catch((error) => {
        this.#listening = null
        throw error
      })
    return this.#listening
  }

  #hear(payload: string): void {
    const { t: tenantId, n = [], u = [], l } = JSON.parse(payload) as Heard
    if (l) this.#signal(tenantId, l)
    for (const [userId, id] of n) this.#note({ tenantId, userId }, id)
    for (const userId of u) this.#note({ tenantId, userId }, null)
    if (this.#newsSize > MOST_NEWS) {
      this.#news.clear()
      this.#newsSize = 0
      for (const subscriber of this.#all()) subscriber.end('again')
    }
    if (this.#news.size > 0 && !this.#telling) void this.#tellAll()
  }

  #signal(tenantId: string, { to, event, data }: Live): void {
    const text = textOf({ event, data })
    for (const userId of to) {
      for (const it of this.#of({ tenantId, userId })) it.signal(text)
    }
  }

  #note(user: { tenantId: string; userId: string }, id: string | null): void {
    if (!this.#people.has(keyOf(user))) return
    const { tenantId, userId } = user
    const news = this.#news.get(tenantId) ?? { ids: new Set(), userIds: new Set() }
    this.#news.set(tenantId, news)
    news.userIds.add(userId)
    if (id === null) return
    news.ids.add(id)
    this.#newsSize += 1
  }

  /** One batch after the other, so that everybody gets changes in the order of the commits. */
  async #tellAll(): Promise<void> {
    this.#telling = true
    try {
      while (this.#news.size > 0) {
        const news = this.#news
        this.#news = new Map()
        this.#newsSize = 0
        for (const [tenantId, it] of news) await this.#tell(tenantId, it)
      }
    } catch (error) {
      // Readers that reconnect get what could not be read here.
      this.#deps.log.warn({ err: error }, 'notifications could not be read for the open streams')
      for (const subscriber of this.#all()) subscriber.end('again')
    } finally {
      this.#telling = false
    }
  }

  async #tell(tenantId: string, { ids, userIds }: News): Promise<void> {
    const db = this.#deps.database.of(tenantId)
    const heard = [...ids]
    for (let from = 0; from < heard.length; from += READ_AT_ONCE) {
      const part = heard.slice(from, from + READ_AT_ONCE)
      const rows = new Map((await listByIds(db, tenantId, part)).map((row) => [row.id, row]))
      for (const id of part) {
        const row = rows.get(id)
        if (!row) continue
        const { userId, ...notification } = row
        const text = textOf({ event: 'notification', id, data: notification })
        for (const it of this.#of({ tenantId, userId })) it.tell(id, text)
      }
    }
    for (const [userId, count] of await countUnreadOf(db, tenantId, [...userIds])) {
      for (const it of this.#of({ tenantId, userId })) it.count(count)
    }
  }

  /** Sends a reader what they missed; for a first connection only their current position. */
  async #catchUp(subscriber: Subscriber, first: boolean): Promise<void> {
    const db = this.#deps.database.of(subscriber.tenantId)
    const { cursor } = subscriber
    const place = cursor !== null && isId(cursor) ? await findPlace(db, subscriber, cursor) : null
    const isKnown = cursor === BEGINNING || place != null
    const missed = isKnown ? await listMissed(db, subscriber, place ?? null) : []
    const isTold = isKnown && missed.length <= MOST_MISSED
    const last = isTold ? missed.at(-1)?.id : (await findLast(db, subscriber))?.id
    const next = last ?? (isTold && cursor !== null ? cursor : BEGINNING)
    const count = await countUnread(db, subscriber)
    const told = isTold ? missed : []
    const events = told.map((it) => textOf({ event: 'notification', id: it.id, data: it }))
    if (!isTold && !first) events.push(textOf({ event: 'reset', id: next, data: {} }))
    events.push(textOf({ event: 'unread', id: next, data: { count } }))
    subscriber.caughtUp(events.join(''), { ids: told.map(({ id }) => id), cursor: next })
  }

  /** After the connection was lost: messages may have been missed meanwhile. */
  async #catchAllUp(): Promise<void> {
    const waiting = [...this.#all()]
    for (const it of waiting) it.fallBehind()
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        await this.#catchUp(next, false).catch(() => next?.end('again'))
      }
    }
    await Promise.all(Array.from({ length: CATCH_UP_AT_ONCE }, work))
  }

  async #tick(): Promise<void> {
    if (this.#ticking) return
    this.#ticking = true
    this.#ticks += 1
    const beats = this.#ticks % BEAT_TICKS === 0
    for (const subscriber of this.#all()) {
      if (beats) subscriber.forgetSeen()
      if (beats) subscriber.beat()
    }
    try {
      await this.#endDead()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'notifications could not be read for the open streams')
    } finally {
      this.#ticking = false
    }
  }

  /** Ends the streams whose session or API key has ended, or whose person or shop was suspended. */
  async #endDead(): Promise<void> {
    const { clock, database } = this.#deps
    const now = clock.now()
    const tenants = Map.groupBy(this.#all(), ({ tenantId }) => tenantId)
    for (const [tenantId, subscribers] of tenants) {
      const db = database.of(tenantId)
      const shop = await findTenant(db, tenantId)
      const idsOf = (via: Caller['via']) => [
        ...new Set(
          subscribers.flatMap(({ credential }) =>
            credential.via === via ? credential.credentialId : [],
          ),
        ),
      ]
      const [sessions, keys] = [idsOf('session'), idsOf('apiKey')]
      const alive = new Set([
        ...(sessions.length > 0
          ? await listLiveSessions(db, { tenantId, ids: sessions }, now)
          : []),
        ...(keys.length > 0 ? await listLiveApiKeys(db, { tenantId, ids: keys }, now) : []),
      ])
      for (const subscriber of subscribers) {
        const { credential, until, isStaff } = subscriber
        const ended = until !== null && until <= now
        if (ended || !alive.has(credential.credentialId)) subscriber.end('credential')
        else if (!shop || shop.closedAt || (shop.suspendedAt && !isStaff)) subscriber.end('shop')
      }
    }
  }

  *#all(): Generator<Subscriber> {
    for (const own of this.#people.values()) yield* own
  }

  #of(user: { tenantId: string; userId: string }): Iterable<Subscriber> {
    return this.#people.get(keyOf(user)) ?? []
  }
}

function keyOf({ tenantId, userId }: { tenantId: string; userId: string }): string {
  return `${tenantId} ${userId}`
}

function tooManyStreams(): Problem {
  return new Problem(429, 'Too many streams are open.', {
    code: 'too_many_streams',
    headers: { 'retry-after': '30' },
  })
}
