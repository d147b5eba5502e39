import { useQuery } from '@tanstack/react-query'
import { nodes } from '../../../api/admin-reads.ts'
import { useMay } from '../../../api/permissions.ts'
import { useAdminTexts } from '../../../texts/admin.tsx'
import { type Incident, locations, products } from './reads.ts'

export type Affected = Pick<Incident, 'nodeIds' | 'locationIds' | 'productIds'>

/** The names of everything that an incident can affect, as far as the person may read them. */
export function useAffectable() {
  const may = useMay()
  const mayPlace = may('nodes:read')
  const maySell = may('store:read')
  return {
    ...{ mayPlace, maySell },
    nodes: useQuery({ ...nodes, enabled: mayPlace }).data?.data ?? [],
    locations: useQuery({ ...locations, enabled: mayPlace }).data ?? [],
    products: useQuery({ ...products, enabled: maySell }).data ?? [],
  }
}

/** A sentence that says how the status page names what is affected. */
export function usePublicNames({ nodeIds, locationIds, productIds }: Affected): string {
  const { incidents } = useAdminTexts()
  const known = useAffectable()
  const names = [
    ...known.locations.filter(({ id }) => locationIds.includes(id)),
    ...known.products.filter(({ id }) => productIds.includes(id)),
  ].map(({ name }) => name)
  if (locationIds.length + productIds.length > 0) return incidents.publicNames(names.join(', '))
  return nodeIds.length > 0 ? incidents.publicGameServers : incidents.publicNothing
}
