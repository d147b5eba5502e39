import { useMantineColorScheme } from '@mantine/core'

/** The colour scheme that holds now, and how to change to the other one. */
export function useScheme(): { isDark: boolean; toggle: () => void } {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const isDark = colorScheme === 'dark'
  return { isDark, toggle: () => setColorScheme(isDark ? 'light' : 'dark') }
}
