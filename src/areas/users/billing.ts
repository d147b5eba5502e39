import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { findUser, findUsers, type UserRow } from './queries.ts'
import { addressOf } from './rules.ts'

/** The person to whom an invoice is issued. */
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

/** A person's present billing profile; undefined if there is no such person. */
export async function billingProfileOf(db: Db, key: UserKey): Promise<BillingProfile | undefined> {
  const user = await findUser(db, key)
  return user && profileOf(user)
}

/** The billing profiles of several people, by their ids; people that do not exist are left out. */
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

/** What other customers may see of a person: the first name. */
export async function publicNameOf(db: Db, key: UserKey): Promise<string> {
  const user = await findUser(db, key)
  return firstNameIn(user?.name ?? '')
}

/** The first word of a person's name: the only part that other people may read. */
export function firstNameIn(name: string): string {
  return name.split(' ')[0] ?? ''
}
