import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { findUser, findUsers, type UserRow } from './queries.ts'
import { addressOf } from './rules.ts'

/** Whom an invoice is made out to. */
export type BillingProfile = Pick<
  UserRow,
  | 'email'
  | 'emailVerifiedAt'
  | 'name'
  | 'company'
  | 'vatNumber'
  | 'vatStatus'
  | 'country'
  | 'locale'
> & { userId: string; address: ReturnType<typeof addressOf> }

/** The person as a customer, as they are now; undefined when there is none. */
export async function billingProfileOf(db: Db, key: UserKey): Promise<BillingProfile | undefined> {
  const user = await findUser(db, key)
  return user && profileOf(user)
}

/** Several people as customers, by their ids; those that there are. */
export async function billingProfilesOf(
  db: Db,
  tenantId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, BillingProfile>> {
  const users = await findUsers(db, tenantId, userIds)
  return new Map(users.map((user) => [user.id, profileOf(user)]))
}

function profileOf(user: UserRow): BillingProfile {
  const { email, emailVerifiedAt, name, company, vatNumber, vatStatus, country, locale } = user
  const rest = { email, emailVerifiedAt, name, company, vatNumber, vatStatus, country, locale }
  return { userId: user.id, ...rest, address: addressOf(user) }
}

/** What other customers may learn of a person: the first name. */
export async function publicNameOf(db: Db, key: UserKey): Promise<string> {
  const user = await findUser(db, key)
  return firstNameIn(user?.name ?? '')
}

/** The first of somebody's names: what may stand where others read it. */
export function firstNameIn(name: string): string {
  return name.split(' ')[0] ?? ''
}
