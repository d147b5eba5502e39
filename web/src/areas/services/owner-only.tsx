import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../texts/index.tsx'
import { Empty, I } from '../../ui/index.ts'
import { members } from './reads.ts'

type OwnerOnlyProps = {
  readonly id: string
  /** The title of the page that the person may not use. */
  readonly title: string
  /** Whether the owner can give the permission for it. */
  readonly canBeGiven?: boolean
}

/** Shown to a member in place of a page of the server, with the name of the owner. */
export function OwnerOnly({ id, title, canBeGiven = false }: OwnerOnlyProps) {
  const { services } = useTexts()
  const name = useQuery(members(id)).data?.data.find(({ role }) => role === 'owner')?.name
  const owner = name ? ` (${name})` : ''
  return (
    <Empty icon={I.Lock} title={title}>
      {canBeGiven ? services.ownerGives(owner) : services.ownerOnly(owner)}
    </Empty>
  )
}
