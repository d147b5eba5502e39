import { badRequest } from '#lib/problem.ts'
import { type Db, transact } from '#platform/database/index.ts'
import { originOf } from '#tenants'

/** Stores this installation's own address where all its processes can read it. */
export async function storePublicUrl(db: Db, publicUrl: string): Promise<void> {
  await transact(db, (tx) =>
    tx
      .updateTable('billing.installation')
      .set({ publicUrl })
      .where((it) => it.or([it('publicUrl', 'is', null), it('publicUrl', '<>', publicUrl)]))
      .execute(),
  )
}

/** The page that follows a payment to its order or invoice, and that of the saved payment methods. */
type ShopPage = '/checkout/return' | '/payment'

/**
 * Where a customer is sent after paying, or after saving a payment method: the requested address if it is one of the
 * tenant's own, `page` of the shop if none is given. Throws 400 for any other: we never redirect to an unknown site.
 */
export async function checkedReturnUrl(
  db: Db,
  tenantId: string,
  { wanted, page }: { wanted?: string | undefined; page: ShopPage },
): Promise<string> {
  const own = await publicUrlOf(db)
  if (wanted === undefined) return `${await originOf(db, { publicUrl: own }, tenantId)}${page}`
  const url = URL.parse(wanted)
  if (url && !url.username && !url.password) {
    if (url.origin === new URL(own).origin) return url.href
    if (await isOwnHost(db, tenantId, url, new URL(own).protocol)) return url.href
  }
  const message = 'is not one of this shop’s own addresses'
  throw badRequest(`returnUrl ${message}.`, [{ path: 'returnUrl', message }])
}

async function publicUrlOf(db: Db): Promise<string> {
  const row = await db.selectFrom('billing.installation').select('publicUrl').executeTakeFirst()
  return row?.publicUrl ?? 'http://localhost'
}

/** Whether an address is on a domain of the tenant; plain HTTP only if our own address uses it. */
async function isOwnHost(
  db: Db,
  tenantId: string,
  { protocol, hostname }: URL,
  ownProtocol: string,
): Promise<boolean> {
  if (protocol !== 'https:' && protocol !== ownProtocol) return false
  const domain = await db
    .selectFrom('tenants.domains')
    .select('host')
    .where('tenantId', '=', tenantId)
    .where('host', '=', hostname)
    .executeTakeFirst()
  return domain !== undefined
}
