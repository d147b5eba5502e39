import type { NavigationItem } from './navigation.ts'

export const navigationB: readonly NavigationItem[] = []
