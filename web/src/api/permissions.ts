import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { me } from './reads.ts'

/** Whether the person holds a permission. Screens ask before they read or offer what needs one. */
export function useMay(): (permission: string) => boolean {
  const held = useQuery(me).data?.permissions
  return useCallback((permission) => held?.includes(permission) ?? false, [held])
}
