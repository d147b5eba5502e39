import { languageName } from '#lib/languages.ts'
import { job } from '#platform/jobs.ts'
import { notifyAdmins } from '../../actions.ts'
import { reportTemplate } from '../../work.ts'
import { lockTemplate, markFault } from './queries.ts'

/** Records that a mail was sent with the standard text instead, and notifies staff once per edit of the text. */
export const reportTemplateJob = job(
  reportTemplate,
  async ({ now, transact }, { tenantId, kind, locale, updatedAt, placeholder }) => {
    await transact(async (tx) => {
      const row = await lockTemplate(tx, { tenantId, kind, locale })
      if (!row || row.fault !== null || row.updatedAt !== updatedAt) return
      await markFault(tx, row, { fault: placeholder, faultAt: now })
      const facts = { subject: row.subject, language: languageName(locale), placeholder }
      const link = `/admin/mails/texts/${kind}?language=${locale}`
      await notifyAdmins(tx, { tenantId, topic: 'mail_text_not_used', facts, link }, now)
    })
  },
)
