import { Type } from 'typebox'
import { notFound } from '#lib/problem.ts'
import { Id, IdParams, Nullable, Resource, Timestamp } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { listApiKeys } from '../api-keys/queries.ts'
import { listConnections } from '../connections/queries.ts'
import { listPasskeys } from '../passkeys/queries.ts'
import { findUser } from '../queries.ts'
import { User } from '../schema.ts'
import { countRecoveryCodes, findTotp } from '../second-factors/queries.ts'
import { listSessions } from '../sessions/queries.ts'
import { viewsOf } from '../views.ts'
import { confirmAddress, endSessions, resetFactors } from './access-actions.ts'

const tags: Tag[] = ['Auth & Users']
const writing = { access: 'admin', permission: 'users:write' } as const

const AccountAccess = Resource('AccountAccess', {
  sessions: Type.Array(
    Type.Object({
      id: Id,
      address: Nullable(Type.String()),
      userAgent: Nullable(Type.String()),
      impersonatorId: Nullable(Id),
      createdAt: Timestamp,
      refreshedAt: Timestamp,
    }),
  ),
  apiKeys: Type.Array(
    Type.Object({
      id: Id,
      name: Nullable(Type.String()),
      prefix: Type.String(),
      permission: Type.String(),
      expiresAt: Nullable(Timestamp),
      lastUsedAt: Nullable(Timestamp),
      createdAt: Timestamp,
    }),
  ),
  connections: Type.Array(
    Type.Object({ provider: Type.String(), name: Type.String(), createdAt: Timestamp }),
  ),
  passkeys: Type.Integer(),
  authenticatorApp: Type.Boolean(),
  recoveryCodesLeft: Type.Integer(),
})

const MOST_SHOWN = 100

/** Sign-in methods of people, for support staff. */
export const accessRoutes: Routes = (app, deps) => {
  const { forgetCallers } = deps
  const views = viewsOf(deps)

  app.route({
    method: 'GET',
    url: '/v1/admin/users/:id/access',
    config: writing,
    schema: {
      tags,
      summary: 'Get how a person signs in: sessions, keys, connections and second factors',
      description: 'At most 100 sessions and keys, newest first',
      params: IdParams,
      response: { 200: AccountAccess, ...problems(404) },
    },
    async handler({ db, tenantId, params: { id: userId }, now }) {
      const key = { tenantId, userId }
      if (!(await findUser(db, key))) throw notFound('User')
      const [sessions, apiKeys, connections, passkeys, totp, recoveryCodesLeft] = await Promise.all(
        [
          listSessions(db, key, { limit: MOST_SHOWN }, now),
          listApiKeys(db, key, { limit: MOST_SHOWN }),
          listConnections(db, key),
          listPasskeys(db, key),
          findTotp(db, key),
          countRecoveryCodes(db, key),
        ],
      )
      return {
        sessions: sessions.data,
        ...{ apiKeys: apiKeys.data, connections, recoveryCodesLeft },
        ...{ passkeys: passkeys.length, authenticatorApp: Boolean(totp?.confirmedAt) },
      }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/confirm-email',
    config: writing,
    schema: {
      tags,
      summary: 'Confirm the e-mail address of a person',
      description:
        'Without a mail, on the word of staff. 409 `own_account`, 403 for a person with permissions that the caller lacks.',
      params: IdParams,
      response: { 200: User, ...problems(404, 409) },
    },
    async handler({ caller, db, params: { id: userId }, now, transact }) {
      const user = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, { tenantId: caller.tenantId, userId })
        return confirmAddress(tx, caller, { userId, permissions }, now)
      })
      return views.one(db, user)
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/end-sessions',
    config: writing,
    schema: {
      tags,
      summary: 'Sign a person out everywhere',
      description:
        'Access tokens stop at once; API keys stay valid. The answer says how many sessions ended. 403 for a person with permissions that the caller lacks.',
      params: IdParams,
      response: { 200: Type.Object({ ended: Type.Integer() }), ...problems(404) },
    },
    async handler({ caller, params: { id: userId }, now, transact }) {
      const ended = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, { tenantId: caller.tenantId, userId })
        return endSessions(tx, caller, { userId, permissions }, now)
      })
      forgetCallers({ userId })
      return { ended }
    },
  })

  app.route({
    method: 'POST',
    url: '/v1/admin/users/:id/reset-second-factors',
    config: writing,
    schema: {
      tags,
      summary: 'Remove the second factors of a person who lost them, and sign them out',
      description:
        'Removes the authenticator app, passkeys and recovery codes, and notifies the person. 409 `mfa_not_enabled` and `own_account`, 403 for a person with permissions that the caller lacks.',
      params: IdParams,
      response: { 200: User, ...problems(404, 409) },
    },
    async handler({ caller, db, params: { id: userId }, now, transact }) {
      const user = await transact(async (tx) => {
        const permissions = await views.permissionsOf(tx, { tenantId: caller.tenantId, userId })
        return resetFactors(tx, caller, { userId, permissions }, now)
      })
      forgetCallers({ userId })
      return views.one(db, user)
    },
  })
}
