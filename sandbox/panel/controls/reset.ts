import { randomUUID } from 'node:crypto'
import type { Panel } from '../panel.ts'
import { seededRandom } from '../state/clock.ts'
import { emptyData } from '../state/data.ts'
import { fullPermissions } from '../state/keys.ts'

/** Puts a panel back to how it was started: its seed, one administrator, and the same keys. */
export function startAnew(panel: Panel): void {
  const { flavour, start } = panel
  panel.clock.reset()
  panel.faults.reset()
  panel.journal.reset()
  panel.throttle.reset()
  panel.installs.reset()
  panel.random = seededRandom(start.randomSeed)
  panel.twoFactorRequired = false
  const now = panel.clock.now()
  const data = emptyData()
  flavour.seed(data, start.seed, now)
  const admin = data.users.insert({
    uuid: randomUUID(),
    externalId: null,
    username: 'admin',
    email: 'admin@panel.example.net',
    firstName: 'Panel',
    lastName: 'Administrator',
    language: 'en',
    rootAdmin: true,
    roles: [],
    password: null,
    twoFactor: false,
    createdAt: now,
    updatedAt: now,
  })
  const shared = { userId: admin.id, permissions: fullPermissions(), allowedIps: [] }
  data.keys.insert({ ...shared, kind: 'application', token: start.applicationKey })
  data.keys.insert({ ...shared, kind: 'account', token: start.clientKey })
  panel.data = data
}
