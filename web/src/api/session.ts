import { boot } from './boot.ts'

type Token = { readonly value: string; readonly endsAt: number }

/** A token that has less than this left is not used any more, in ms. */
const SPARE_MS = 30_000
const LOCK = 'moorage-session'

/** In memory only: nothing that scripts of another page could read. */
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

/** Whether this tab shows the shop as a customer. It can read only a part of it, and change nothing. */
export function isViewing(): boolean {
  return viewed !== null
}

/** Whose account this tab shows. */
export function shownUserId(): string {
  return viewed?.userId ?? boot.userId
}

type Given = { readonly accessToken: string; readonly expiresIn: number }

/** The current access token. Tabs refresh it one at a time and share the answer. */
export async function accessToken(): Promise<string> {
  if (viewed) {
    if (viewed.token.endsAt > performance.now()) return viewed.token.value
    stopViewing()
  }
  if (isGood()) return token.value
  await navigator.locks.request(LOCK, async () => {
    if (!isGood()) await refresh()
  })
  return token.value
}

/** Has the next call of `accessToken` fetch a new one: the API did not take the current one. */
export function forgetToken(): void {
  if (viewed) stopViewing()
  token = { ...token, endsAt: 0 }
}

/** How the names begin under which this tab keeps what was typed and not saved. */
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

/** To the sign-in page, and back to this very page afterwards. */
function leave(): void {
  const here = location.pathname + location.search + location.hash
  location.assign(`/sign-in?next=${encodeURIComponent(here)}`)
}

/** By the clock that only runs forward: the one on the wall may be wrong. */
function tokenOf(value: string, seconds: number): Token {
  return { value, endsAt: performance.now() + seconds * 1000 }
}

function isGood(): boolean {
  return token.endsAt - performance.now() > SPARE_MS
}
