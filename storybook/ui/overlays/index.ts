/** Overlays: the second entry that shell and modules share, in a separate file. See README.md. */
export { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog';
export { Dialog, type DialogProps } from './dialog';
// Opened by the buttons of `@cord/ui`: Menu, WhyPopover, Toaster.
export { MenuContent, MenuItem, type MenuItemProps, MenuRule } from './menu-content';
export { QrCode, type QrCodeProps } from './qr-code';
export { Sheet, SheetItem, type SheetItemProps, type SheetProps, SheetRule } from './sheet';
export { ToastList } from './toast-list';
export { WhyContent } from './why-content';
