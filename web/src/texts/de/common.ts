import type { Texts } from '../index.tsx'

export const common: Texts['common'] = {
  skip: 'Zum Inhalt springen',
  loading: 'Wird geladen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  close: 'Schließen',
  cancel: 'Abbrechen',
  save: 'Speichern',
  notANumber: 'Gib eine Zahl ein, zum Beispiel 12.',
  amountWrong: (example) => `Gib einen Betrag ein, zum Beispiel ${example}.`,
  saved: 'Gespeichert',
  undo: 'Rückgängig machen',
  more: 'Weitere Aktionen',
  all: 'Alle',
  tryAgain: 'Erneut versuchen',
  showMore: 'Mehr anzeigen',
  home: 'Start',
  failed: 'Laden fehlgeschlagen',
  refused: 'Das hat nicht geklappt',
  changed: 'Jemand anderes hat das inzwischen geändert',
  changedText:
    'Es wurde nichts gespeichert. Deine Eingaben bleiben erhalten, und alles, was du nicht geändert hast, zeigt den aktuellen Stand. Prüfe es und speichere noch einmal.',
  changedField:
    'Jemand anderes hat das inzwischen geändert. Beim Speichern bleibt deine Eingabe erhalten.',
  changedTo: (value) =>
    `Jemand anderes hat inzwischen „${value}“ gespeichert. Beim Speichern bleibt deine Eingabe erhalten.`,
  nothingChanged: 'Es wurde nichts geändert.',
  noConnection: 'Der Server ist nicht erreichbar.',
  unreached:
    'Der Server ist nicht erreichbar. Versuche es erneut: Deine Eingaben bleiben erhalten, und nichts wird doppelt ausgeführt.',
  tooLarge:
    'Das ist größer, als der Server annimmt. Wähle eine kleinere Datei oder einen kürzeren Text.',
  refusedBefore: (status) =>
    `Die Anfrage wurde abgelehnt, bevor sie den Dienst erreicht hat (Status ${status}).`,
  offline: 'Keine Verbindung. Neuer Versuch läuft.',
  request: (id) => `Anfrage ${id}`,
  forbidden: 'Dafür fehlt dir die Berechtigung',
  private: 'Nur für den Kunden sichtbar',
  privateText: 'Diese Angaben sind verborgen, solange du den Shop als Kunde ansiehst.',
  notFound: 'Diese Seite gibt es nicht',
  notFoundText: 'Vielleicht wurde sie entfernt, oder die Adresse ist unvollständig.',
  crashed: 'Auf dieser Seite ist ein Fehler aufgetreten',
  crashedText: 'Lade die Seite neu. Wenn es wieder passiert, wende dich an den Support.',
  testMode: 'Testmodus',
  testModeText: 'Zahlungen werden simuliert, es fließt kein Geld.',
  reload: 'Neu laden',
}
