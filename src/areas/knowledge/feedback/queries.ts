import { sql } from 'kysely'
import type { Instant } from '#lib/time.ts'
import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Row, Tx } from '#platform/database/index.ts'

export type FeedbackRow = Row<'knowledge.feedback'>
/** The author of an answer: a customer, or a visitor, identified by network and day. */
export type Respondent = Pick<FeedbackRow, 'tenantId' | 'userId' | 'visitor'>

function selectBy(db: Db, { tenantId, userId, visitor }: Respondent) {
  return db
    .selectFrom('knowledge.feedback')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .$if(userId !== null, (it) => it.where('userId', '=', userId))
    .$if(userId === null, (it) => it.where('visitor', '=', visitor))
}

/** Locks a respondent, so that simultaneous answers of one respondent wait for each other. */
export async function lockRespondent(tx: Tx, it: Respondent): Promise<void> {
  const name = `${it.tenantId} article feedback ${it.userId ?? it.visitor?.toString('hex')}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx)
}

export function findAnswer(db: Db, respondent: Respondent, versionId: string) {
  return selectBy(db, respondent).where('versionId', '=', versionId).executeTakeFirst()
}

/** The times of a respondent's last answers, newest first. */
export async function listAnswerTimes(
  db: Db,
  respondent: Respondent,
  { since, limit }: { since: Instant; limit: number },
): Promise<Instant[]> {
  const rows = await selectBy(db, respondent)
    .where('createdAt', '>', since)
    .orderBy('createdAt', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ createdAt }) => createdAt)
}

export async function insertAnswer(tx: Tx, row: FeedbackRow): Promise<void> {
  await tx.insertInto('knowledge.feedback').values(row).execute()
}

export async function updateAnswer(
  tx: Tx,
  { tenantId, id }: Pick<FeedbackRow, 'tenantId' | 'id'>,
  helpful: boolean,
): Promise<void> {
  await tx
    .updateTable('knowledge.feedback')
    .set({ helpful })
    .where('tenantId', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/** A customer's answers about articles, oldest first. */
export function listAnswersOf(
  db: Db,
  { tenantId, userId }: UserKey,
  { after, limit }: { after: string | null; limit: number },
) {
  return db
    .selectFrom('knowledge.feedback as feedback')
    .innerJoin('knowledge.versions as version', (join) =>
      join
        .onRef('version.tenantId', '=', 'feedback.tenantId')
        .onRef('version.id', '=', 'feedback.versionId'),
    )
    .select(['feedback.id', 'version.title', 'version.locale as language', 'feedback.helpful'])
    .select('feedback.createdAt')
    .where('feedback.tenantId', '=', tenantId)
    .where('feedback.userId', '=', userId)
    .$if(after !== null, (it) => it.where('feedback.id', '>', after ?? ''))
    .orderBy('feedback.id')
    .limit(limit)
    .execute()
}

/** Makes the answers of a person whose account ends anonymous. */
export async function forgetRespondent(tx: Tx, { tenantId, userId }: Leaving): Promise<void> {
  await tx
    .updateTable('knowledge.feedback')
    .set({ userId: null })
    .where('tenantId', '=', tenantId)
    .where('userId', '=', userId)
    .execute()
}
