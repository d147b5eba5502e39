import type { Leaving, UserKey } from '#platform/area.ts'
import type { Db, Tx } from '#platform/database/index.ts'
import { forgetRespondent, listAnswersOf } from './feedback/queries.ts'

const PAGE = 100

/** A person's feedback on articles. */
export function personalData(db: Db, user: UserKey) {
  return { articleFeedback: answersOf(db, user) }
}

async function* answersOf(db: Db, user: UserKey) {
  let after: string | null = null
  do {
    const answers = await listAnswersOf(db, user, { after, limit: PAGE })
    yield* answers.map(({ id: _, ...answer }) => answer)
    after = answers.length === PAGE ? (answers.at(-1)?.id ?? null) : null
  } while (after)
}

/** Their answers stay for statistics, without the person. */
export function erase(tx: Tx, person: Leaving): Promise<void> {
  return forgetRespondent(tx, person)
}
