import type { components } from '@moorage/client'
import { useQuery } from '@tanstack/react-query'
import { client, read, readAll } from '../../../api/client.ts'
import { useMay } from '../../../api/permissions.ts'

export type Mapping = components['schemas']['RoleMapping']
export type Source = Mapping['source']

/** The key of the read of the mappings. */
export const MAPPINGS = ['role-mappings'] as const

const products = readAll(['products', 'mapped'], (query, signal) =>
  client.GET('/v1/admin/products', { params: { query }, signal }),
)
const roles = read(['roles'], (signal) => client.GET('/v1/admin/rbac/roles', { signal }))
const groups = readAll(['groups', 'mapped'], (query, signal) =>
  client.GET('/v1/admin/rbac/groups', { params: { query }, signal }),
)

type Named = { readonly value: string; readonly label: string }

/** The objects that a mapping may depend on, by source; only the sources that the reader may see. */
export function useSources(): Partial<Readonly<Record<Source, readonly Named[]>>> {
  const may = useMay()
  const [isSeller, isManager] = [may('store:read'), may('rbac:read')]
  const sold = useQuery({ ...products, enabled: isSeller }).data ?? []
  const held = useQuery({ ...roles, enabled: isManager }).data?.data ?? []
  const grouped = useQuery({ ...groups, enabled: isManager }).data ?? []
  const named = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
  return {
    active_service: [],
    ...(isSeller && {
      product: sold.map(named),
      plan: sold.flatMap(({ name: product, plans }) =>
        plans.map(({ id, name }) => ({ value: id, label: `${product} – ${name}` })),
      ),
    }),
    ...(isManager && { rbac_role: held.map(named), group: grouped.map(named) }),
  }
}
