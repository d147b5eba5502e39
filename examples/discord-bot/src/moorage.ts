const TIMEOUT_MS = 15_000

export type Role = { guildId: string; roleId: string }
export type RoleChange = Role & { id: string; discordId: string; action: 'add' | 'remove' }
export type RoleChanges = { data: RoleChange[]; cursor: string; more: boolean; reset: boolean }
export type MemberRoles = { discordId: string; roles: Role[] }
export type Members = { data: MemberRoles[]; nextCursor: string | null; managed: Role[] }
export type Message = {
  id: string
  discordId: string
  title: string
  body: string
  link: string | null
}
export type Member = {
  linked: boolean
  firstName: string | null
  activeServices: number
  products: { name: string; activeServices: number }[]
  linkUrl: string
}

/** The shop did not do what it was asked. `retryMs`: when it wants to be asked again, if it said so. */
export class MoorageError extends Error {
  readonly status: number
  readonly retryMs: number | null

  constructor(status: number, message: string, retryMs: number | null) {
    super(`Moorage answers ${status}: ${message}`)
    this.name = 'MoorageError'
    this.status = status
    this.retryMs = retryMs
  }
}

/** The part of the shop's API that bots have. */
export type Moorage = ReturnType<typeof moorageAt>

/** Speaks to a shop with a bot's token. Everything here may throw: the shop may be away. */
export function moorageAt(url: string, token: string) {
  async function request<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await fetch(`${url}/v1/bot${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    if (!response.ok) {
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
      const retryMs = Number.isFinite(seconds) ? seconds * 1000 : null
      throw new MoorageError(response.status, messageIn(text), retryMs)
    }
    return JSON.parse(text) as T
  }

  return {
    member: (discordId: string) => request<Member>('GET', `/users/${discordId}`),
    rolesOf: (discordId: string) =>
      request<{ roles: Role[]; remove: Role[] }>('GET', `/users/${discordId}/roles`),
    /** What comes after what was acknowledged. */
    roleChanges: () => request<RoleChanges>('GET', '/role-changes'),
    acknowledgeRoles: (cursor: string) =>
      request<{ cursor: string }>('POST', '/role-changes/ack', { cursor }),
    members: (after: string | null) =>
      request<Members>('GET', `/members?limit=500${after === null ? '' : `&after=${after}`}`),
    /** What was not acknowledged, oldest first. */
    messages: () => request<{ data: Message[] }>('GET', '/notifications?limit=100'),
    acknowledgeMessages: (ids: string[]) =>
      request<{ acknowledged: number }>('POST', '/notifications/ack', { ids }),
  }
}

function messageIn(text: string): string {
  try {
    return String((JSON.parse(text) as { message?: unknown }).message)
  } catch {
    return 'no answer of Moorage'
  }
}
