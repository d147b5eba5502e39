import { notFound } from '#lib/problem.ts'
import { BULK, BulkBody, BulkResult, inBulk } from '#platform/http/bulk.ts'
import type { Routes } from '#platform/http/index.ts'
import { hasMailServer } from '../mail-servers/transport.ts'
import { sendAgain } from './actions.ts'
import { lockMail } from './queries.ts'
import { stateOf } from './rules.ts'

/** Sends several mails again. */
export const bulkMailRoutes: Routes = (app, { config }) => {
  app.route({
    method: 'POST',
    url: '/v1/admin/mails/bulk',
    config: { access: 'admin', permission: 'system:write' },
    schema: {
      tags: ['Admin - Operations'],
      summary: 'Send several mails again',
      description: `${BULK} A mail that is queued stays as it is.`,
      body: BulkBody(['resend'], {}),
      response: { 200: BulkResult },
    },
    async handler(request) {
      const { body, db, tenantId, now } = request
      const mailServer = await hasMailServer(db, config, tenantId)
      return inBulk(body, request, async (tx, id) => {
        const key = { tenantId, id }
        const mail = await lockMail(tx, key)
        if (!mail) throw notFound('Mail')
        if (stateOf(mail, mailServer) === 'queued') return 'unchanged'
        await sendAgain(tx, { key, mailServer }, now)
        return 'done'
      })
    },
  })
}
