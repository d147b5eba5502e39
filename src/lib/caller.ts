import type { Instant } from './time.ts'

/** Who calls: made once per request by the access hook, and passed to every action. */
export type Caller = {
  kind: 'user' | 'bot' | 'daemon'
  tenantId: string
  userId: string
  email: string
  /** Permission keys such as `store:read`; `area:*` covers every key of its area. Of a bot: its scopes. */
  permissions: ReadonlySet<string>
  via: 'session' | 'apiKey' | 'token'
  /** The session, API key or token this call came with. */
  credentialId: string
  /** When the credential ends by itself, where it says so: an access token, a key with an end. */
  until?: Instant | null
  /** A `read` API key: GET and HEAD only. */
  readOnly: boolean
  /** The administrator who acts as this user, if one does. */
  impersonatorId: string | null
}

/** Whether the caller holds a permission, directly or through its area's `*`. */
export function holds(permissions: ReadonlySet<string>, permission: string): boolean {
  const area = permission.slice(0, permission.indexOf(':'))
  return permissions.has(permission) || permissions.has(`${area}:*`) || permissions.has('*')
}
