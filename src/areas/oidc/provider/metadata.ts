import type { AllClientMetadata } from 'oidc-provider'
import type { ClientRow } from '../clients/rules.ts'

/** Stands where the provider wants to see a secret; what a client presents is never compared with it. */
const KEPT_AS_HASH = 'kept as its hash'

/** Our own property of a client: whether people need a confirmed address to sign in. */
export const REQUIRE_VERIFIED_EMAIL = 'require_verified_email'

/** A client as the provider knows it (RFC 7591): the code flow, answered in the query, and no other. */
export function metadataOf(client: ClientRow): AllClientMetadata {
  const { id, name, type, redirectUris, postLogoutRedirectUris, scopes } = client
  const mayStay = scopes.includes('offline_access')
  return {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris,
    scope: scopes.join(' '),
    [REQUIRE_VERIFIED_EMAIL]: client.requireVerifiedEmail,
    // A native client could choose its port: addresses are compared exactly for every kind.
    application_type: 'web',
    response_types: ['code'],
    response_modes: ['query'],
    grant_types: mayStay ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    ...(type === 'public'
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: KEPT_AS_HASH }),
  }
}
