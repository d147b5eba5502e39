import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/database/index.ts'
import { isDefaultTenant } from '#tenants'

/** Where the provider stands under a tenant's address. */
export const BASE = '/v1/oidc'

type Asked = {
  tenantId: string
  /** The host name that the request came to, and by which its tenant was found. */
  hostname: string
}

/**
 * The name a tenant's provider has (OpenID Connect Discovery 3). That of the default tenant is the
 * public address, whatever a request claims; another tenant was found by its own domain, which is
 * then its host. Scheme and port are those of the public address.
 */
export async function issuerOf(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { tenantId, hostname }: Asked,
): Promise<string> {
  if (await isDefaultTenant(db, tenantId)) return publicUrl + BASE
  const { protocol, port } = new URL(publicUrl)
  return `${protocol}//${hostname.toLowerCase()}${port && `:${port}`}${BASE}`
}
