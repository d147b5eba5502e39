import type { UserKey } from '#platform/area.ts'
import type { Db } from '#platform/database/index.ts'
import { listApiKeyHistory } from './api-keys/queries.ts'
import { listConnections } from './connections/queries.ts'
import { listFacts } from './facts/queries.ts'
import { listNotesAbout } from './notes/queries.ts'
import { listPasskeys } from './passkeys/queries.ts'
import { findUser } from './queries.ts'
import { userView } from './rules.ts'
import { countRecoveryCodes, findTotp } from './second-factors/queries.ts'
import { listSessionHistory } from './sessions/queries.ts'
import { listFamiliarNetworks } from './sign-in-throttling/queries.ts'
import { listVatChecks } from './vat/queries.ts'

/** The register is asked every few months: no person has more checks than this. */
const MOST_VAT_CHECKS = 1000

/** The person's profile and how they sign in, for their data export: never a hash, a seed or a token. */
export async function personalData(db: Db, key: UserKey) {
  const user = await findUser(db, key)
  if (!user) return {}
  const { roles: _roles, ...profile } = userView(user, [])
  return {
    profile,
    sessions: await listSessionHistory(db, key),
    apiKeys: await listApiKeyHistory(db, key),
    passkeys: await listPasskeys(db, key),
    authenticatorAppSince: (await findTotp(db, key))?.confirmedAt ?? null,
    recoveryCodesLeft: await countRecoveryCodes(db, key),
    vatNumberChecks: await listVatChecks(db, key, MOST_VAT_CHECKS),
    connections: await listConnections(db, key),
    notesOfStaff: await listNotesAbout(db, key),
    importedFacts: await listFacts(db, key),
    familiarNetworks: await listFamiliarNetworks(db, key),
  }
}
