import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useMay } from './permissions.ts'

/** Whether the person may open the screen of an address in the administration: links to others are left out. */
export function useMayOpen(): (address: string) => boolean {
  const router = useRouter()
  const may = useMay()
  return useCallback(
    (address) => {
      const [path = ''] = address.split('?')
      const [routes] = router.getMatchedRoutes(path)
      const wanted = routes.at(-1)?.options.staticData?.permissions ?? []
      return wanted.length === 0 || wanted.some(may)
    },
    [router, may],
  )
}
