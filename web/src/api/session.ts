import { boot } from './boot.ts'

type Token = { readonly value: string; readonly endsAt: number }

/** A token that has less than this left is not used any more, in ms. */
const SPARE_MS = 30_000
const LOCK = 'moorage-session'
/** How long to wait for a token that another tab has sent, in ms. */
const ARRIVAL_MS = 200

/** In memory only, where scripts of another page cannot read it. */
let token: Token = tokenOf(boot.accessToken, boot.expiresIn)
const tabs = new BroadcastChannel(LOCK)
tabs.onmessage = ({ data }: MessageEvent<Message>) => {
  if (data.type === 'ended') leave()
  else if (data.userId === boot.userId) token = tokenOf(data.accessToken, data.expiresIn)
  else location.reload()
}

type Message =
  | { type: 'ended' }
  | { type: 'token'; userId: string; accessToken: string; expiresIn: number }

/** The session of staff who view the shop as a customer: in this tab, until it ends or the page is reloaded. */
let viewed: { readonly userId: string; readonly token: Token } | null = null

/** From now on, every call of this tab is made as the customer, with a token that cannot be refreshed. */
export function viewAs(userId: string, { accessToken, expiresIn }: Given): void {
  viewed = { userId, token: tokenOf(accessToken, expiresIn) }
}

/** Returns to the session of staff and to the page of the customer, also when the view has expired. */
export function stopViewing(): void {
  const userId = viewed?.userId
  viewed = null
  location.assign(userId ? `/admin/people/${userId}` : '/admin')
}

/** Whether this tab shows the shop as a customer. The view can read only some of the shop, and change nothing. */
export function isViewing(): boolean {
  return viewed !== null
}

/** Whose account this tab shows. */
export function shownUserId(): string {
  return viewed?.userId ?? boot.userId
}

type Given = { readonly accessToken: string; readonly expiresIn: number }

/** The current access token. Tabs refresh it one at a time and share the result. */
export async function accessToken(): Promise<string> {
  if (viewed) {
    if (viewed.token.endsAt > performance.now()) return viewed.token.value
    stopViewing()
  }
  if (isGood()) return token.value
  const wasFree = await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (lock && !isGood()) await refresh()
    return lock !== null
  })
  if (wasFree) return token.value
  await navigator.locks.request(LOCK, async () => {
    // The message of the tab that had the lock may arrive after the lock.
    if (!isGood()) await new Promise((done) => setTimeout(done, ARRIVAL_MS))
    if (!isGood()) await refresh()
  })
  return token.value
}

/** Makes the next call of `accessToken` fetch a new token, because the API refused the current one. */
export function forgetToken(): void {
  if (viewed) stopViewing()
  token = { ...token, endsAt: 0 }
}

/** The prefix of the names under which this tab stores input that is not saved yet. */
export const DRAFT = 'draft:'

function forgetDrafts(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(DRAFT)) sessionStorage.removeItem(name)
  }
}

/** Ends the session in this browser, in all tabs, and goes to the shop. */
export async function signOut(): Promise<void> {
  await fetch('/v1/auth/logout', { method: 'POST', ...JSON_BODY, body: '{}' })
  forgetDrafts()
  tabs.postMessage({ type: 'ended' } satisfies Message)
  location.assign('/')
}

/** Refresh and sign-out cannot go through `client`, which first waits for the access token: they have only the cookie. */
const JSON_BODY = { headers: { 'content-type': 'application/json' } }

async function refresh(): Promise<void> {
  const answer = await fetch('/v1/auth/refresh', {
    ...{ method: 'POST', ...JSON_BODY },
    body: '{}',
  })
  if (answer.status === 401) return leave()
  if (!answer.ok) throw new TypeError('The session could not be refreshed.')
  const { accessToken, expiresIn } = await answer.json()
  token = tokenOf(accessToken, expiresIn)
  tabs.postMessage({
    ...{ type: 'token', userId: boot.userId, accessToken, expiresIn },
  } satisfies Message)
}

/** Goes to the sign-in page, which returns to this page afterwards. */
function leave(): void {
  const here = location.pathname + location.search + location.hash
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
}

/** Uses the monotonic clock, because the system clock may be wrong. */
function tokenOf(value: string, seconds: number): Token {
  return { value, endsAt: performance.now() + seconds * 1000 }
}

function isGood(): boolean {
  return token.endsAt - performance.now() > SPARE_MS
}
