import type { Texts } from '../index.tsx'

export const common: Texts['common'] = {
  skip: 'Ir al contenido',
  loading: 'Cargando',
  copy: 'Copiar',
  copied: 'Copiado',
  close: 'Cerrar',
  cancel: 'Cancelar',
  save: 'Guardar',
  notANumber: 'Introduce un número, por ejemplo 12.',
  amountWrong: (example) => `Introduce un importe, por ejemplo ${example}.`,
  saved: 'Guardado',
  undo: 'Deshacer',
  more: 'Más acciones',
  all: 'Todo',
  tryAgain: 'Intentar de nuevo',
  showMore: 'Mostrar más',
  home: 'Inicio',
  failed: 'No se ha podido cargar',
  refused: 'No ha funcionado',
  changed: 'Otra persona ha cambiado esto entretanto',
  changedText:
    'No se ha guardado nada. Lo que has escrito se conserva, y lo que no has cambiado muestra el estado actual. Revísalo y vuelve a guardar.',
  changedField: 'Otra persona ha cambiado esto entretanto. Si guardas, se conserva lo tuyo.',
  changedTo: (value) =>
    `Otra persona ha guardado «${value}» entretanto. Si guardas, se conserva lo tuyo.`,
  nothingChanged: 'No se ha cambiado nada.',
  noConnection: 'No se ha podido conectar con el servidor.',
  unreached:
    'No se ha podido conectar con el servidor. Inténtalo de nuevo: lo que has escrito se conserva y nada se hará dos veces.',
  tooLarge:
    'Es más grande de lo que acepta el servidor. Elige un archivo más pequeño o un texto más corto.',
  refusedBefore: (status) =>
    `La solicitud se rechazó antes de llegar al servicio (estado ${status}).`,
  offline: 'Sin conexión. Intentándolo de nuevo.',
  request: (id) => `Solicitud ${id}`,
  forbidden: 'No tienes permiso para esto',
  private: 'Solo visible para el cliente',
  privateText: 'Esta información se oculta mientras ves la tienda como cliente.',
  notFound: 'Esta página no existe',
  notFoundText: 'Puede que se haya eliminado o que la dirección esté incompleta.',
  crashed: 'Esta pantalla ha fallado',
  crashedText: 'Recarga la página. Si vuelve a ocurrir, contacta con soporte.',
  testMode: 'Modo de prueba',
  testModeText: 'Los pagos son simulados y no se mueve dinero.',
  reload: 'Recargar',
}
