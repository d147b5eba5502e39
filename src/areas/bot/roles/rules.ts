import type { Grant } from './queries.ts'

type Difference = {
  added: Grant[]
  removed: Grant[]
  /** Roles that stay but now belong to another person's account: nothing changes for the member. */
  moved: Grant[]
}

/** The changes that lead from the roles in `granted` to those in `wanted`. */
export function differenceOf(granted: readonly Grant[], wanted: readonly Grant[]): Difference {
  const before = new Map(granted.map((it) => [placeOf(it), it]))
  const after = new Map(wanted.map((it) => [placeOf(it), it]))
  return {
    added: wanted.filter((it) => !before.has(placeOf(it))),
    removed: granted.filter((it) => !after.has(placeOf(it))),
    moved: wanted.filter((it) => {
      const known = before.get(placeOf(it))
      return known !== undefined && known.userId !== it.userId
    }),
  }
}

function placeOf({ discordId, guildId, roleId }: Grant): string {
  return `${discordId} ${guildId} ${roleId}`
}
