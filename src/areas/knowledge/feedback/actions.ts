import { newId } from '#lib/id.ts'
import { Problem } from '#lib/problem.ts'
import { HOUR_MS, type Instant, later, secondsBetween } from '#lib/time.ts'
import type { Tx } from '#platform/database/index.ts'
import {
  findAnswer,
  insertAnswer,
  listAnswerTimes,
  lockRespondent,
  type Respondent,
  updateAnswer,
} from './queries.ts'

const MOST_AN_HOUR = 10

type Answer = { readonly versionId: string; readonly helpful: boolean }

/**
 * Stores whether a version of an article helped. A respondent has one answer to each version and may change it. Throws
 * 429 beyond ten articles in an hour.
 */
export async function answer(
  tx: Tx,
  respondent: Respondent,
  { versionId, helpful }: Answer,
  now: Instant,
): Promise<{ helpful: boolean }> {
  await lockRespondent(tx, respondent)
  const given = await findAnswer(tx, respondent, versionId)
  if (given) {
    await updateAnswer(tx, given, helpful)
    return { helpful }
  }
  const since = later(now, -HOUR_MS)
  const times = await listAnswerTimes(tx, respondent, { since, limit: MOST_AN_HOUR })
  const oldest = times.at(-1)
  if (times.length === MOST_AN_HOUR && oldest) refuse(secondsBetween(since, oldest))
  await insertAnswer(tx, { ...respondent, id: newId(), versionId, helpful, createdAt: now })
  return { helpful }
}

function refuse(seconds: number): never {
  throw new Problem(
    429,
    'You have rated as many articles as is allowed for now. Try again later.',
    {
      code: 'limit_reached',
      headers: { 'retry-after': String(Math.max(1, Math.ceil(seconds))) },
    },
  )
}
