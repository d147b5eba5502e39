import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { me } from './reads.ts'

/** Whether the person has a permission. Screens check it before they call the API or offer an action. */
export function useMay(): (permission: string) => boolean {
  const held = useQuery(me).data?.permissions
  return useCallback((permission) => held?.includes(permission) ?? false, [held])
}
