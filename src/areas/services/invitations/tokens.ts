import { sealId, unsealId } from '#lib/sealed.ts'
import type { Deps } from '#platform/deps.ts'

const PURPOSE = 'invitation links'

/** The link's token: the invitation's id, sealed so that it cannot be guessed. */
export function tokenOf({ secrets }: Pick<Deps, 'secrets'>, id: string): string {
  const [current] = secrets.keysFor(PURPOSE)
  if (!current) throw new Error('No secret key')
  return sealId(id, current.key)
}

/** The id in a token; null if the token is not ours. */
export function idIn({ secrets }: Pick<Deps, 'secrets'>, token: string): string | null {
  return unsealId(
    token,
    secrets.keysFor(PURPOSE).map(({ key }) => key),
  )
}
