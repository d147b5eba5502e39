import type { Instant } from './time.ts'

/** The caller of a request, determined once by the access hook and passed to every action. */
export type Caller = {
  kind: 'user' | 'bot' | 'daemon'
  tenantId: string
  userId: string
  email: string
  /** Permission keys such as `store:read`; `area:*` covers every key of its area. For a bot: its scopes. */
  permissions: ReadonlySet<string>
  via: 'session' | 'apiKey' | 'token'
  /** The id of the session, API key or token of this call. */
  credentialId: string
  /** When the credential expires, if it does: an access token, or a key with an end date. */
  until?: Instant | null
  /** A `read` API key: GET and HEAD only. */
  readOnly: boolean
  /** The administrator who acts as this user, if one does. */
  impersonatorId: string | null
}

/** Whether the caller has a permission, directly or through its area's `*`. */
export function holds(permissions: ReadonlySet<string>, permission: string): boolean {
  const area = permission.slice(0, permission.indexOf(':'))
  return permissions.has(permission) || permissions.has(`${area}:*`) || permissions.has('*')
}
