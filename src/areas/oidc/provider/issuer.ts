import type { Config } from '#platform/config.ts'
import type { Db } from '#platform/database/index.ts'
import { isDefaultTenant } from '#tenants'

/** The path of the provider under a tenant's URL. */
export const BASE = '/v1/oidc'

type Asked = {
  tenantId: string
  /** The host name of the request, by which its tenant was found. */
  hostname: string
}

/**
 * The issuer name of a tenant's provider (OpenID Connect Discovery 3). For the default tenant it is the
 * public address, whatever a request claims; another tenant was found by its own domain, which is
 * then the host. Scheme and port are those of the public address.
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
