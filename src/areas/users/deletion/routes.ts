import { Type } from 'typebox'
import { Body, Deleted } from '#lib/schema.ts'
import { problems, type Routes } from '#platform/http/index.ts'
import type { Tag } from '#platform/http/openapi.ts'
import { assertMayChangeCredentials } from '../auth/proof.ts'
import { findPasswordHash } from '../queries.ts'
import { Password } from '../schema.ts'
import { ProofFields } from '../second-factors/schema.ts'
import { deleteAccount } from './actions.ts'

const tags: Tag[] = ['Auth & Users']

const Deletion = Body({
  password: Password,
  code: ProofFields.code,
  forfeitCredit: Type.Optional(
    Type.Boolean({
      description: 'Forfeits the remaining credit; without it, remaining credit is a 409',
    }),
  ),
})

export const deletionRoutes: Routes = (app, { areas, secrets, forgetCallers }) => {
  app.route({
    method: 'DELETE',
    url: '/v1/users/me',
    config: { access: 'user', quota: 'auth' },
    schema: {
      tags,
      summary: 'Delete my account',
      description:
        'Where a second factor is set, the session has shown it, or `code` does. Refused with 409 while services are active, invoices or disputes are open, or credit is left. Sessions, keys and payment methods are gone at once. Invoices stay as long as the law demands.',
      body: Deletion,
      response: { 200: Deleted, ...problems(403, 409) },
    },
    async handler(request) {
      const { body, caller, db, now, transact } = request
      const { password, code, forfeitCredit = false } = body
      // Read before the password is compared: if another one is set meanwhile, the hashes differ.
      const row = await findPasswordHash(db, caller)
      const shown = { currentPassword: password, code }
      await assertMayChangeCredentials(request, secrets, shown, { password: 'always' })
      const wish = { passwordHash: row?.passwordHash ?? null, forfeitCredit }
      await transact((tx) => deleteAccount(tx, { areas, caller }, wish, now))
      const { userId } = caller
      forgetCallers({ userId })
      return { id: userId, deleted: true }
    },
  })
}
