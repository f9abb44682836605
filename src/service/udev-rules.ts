/** The text of config/udev/60-posbridge.rules, because a service is installed from one file. A test compares both. */
export const udevRules = `# Card terminals for posbridge: the group dialout may open them, and ModemManager, which sends AT commands to every new serial port, leaves them alone.
#
#   install:  posbridge service install; or cp 60-posbridge.rules /etc/udev/rules.d/ && udevadm control --reload && udevadm trigger
#   then:     the user of the bridge in the group dialout (usermod -aG dialout USER), and the terminal plugged in anew
#
# A line for tty opens the serial port, a line for usb_device the USB device itself (HID, bulk) and tells ModemManager. By vendor, because makers publish few of their
# product ids; the sources are the PROTOCOL.md of the model's folder.

ACTION=="remove", GOTO="posbridge_end"

# Miura M010, M020 (miura-m020): CDC-ACM. Vendor 2dda; 0525 with a4a7 or a4a5, the ids of the Linux serial gadget. Source: the maker's own SDK (PROTOCOL.md 1.1).
SUBSYSTEM=="tty", ATTRS{idVendor}=="2dda", GROUP="dialout", MODE="0660"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="2dda", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"
SUBSYSTEM=="tty", ATTRS{idVendor}=="0525", ATTRS{idProduct}=="a4a5|a4a7", GROUP="dialout", MODE="0660"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="0525", ATTR{idProduct}=="a4a5|a4a7", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"

# Verifone P200, P400, M400, UX (verifone-p400): a serial port over USB. Vendor 11ca; products 0300 (P400) and 0201 (UX300) are known. Source: a public device discovery in C#.
SUBSYSTEM=="tty", ATTRS{idVendor}=="11ca", GROUP="dialout", MODE="0660"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="11ca", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"

# Ingenico iPP, iSC, Lane (ingenico-ipp350): CDC-ACM (0b00:0057, iUC285) or HID (0b00:0074, iSC250). Source: two public drivers (CORE-POS, Redbox).
SUBSYSTEM=="tty", ATTRS{idVendor}=="0b00", GROUP="dialout", MODE="0660"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="0b00", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"

# ID TECH VP3300, Kiosk, VP8800 (idtech-vp3300): HID. Vendor 0acd; product 3530 (VP3300) is known. Source: a public WebHID driver.
SUBSYSTEM=="tty", ATTRS{idVendor}=="0acd", GROUP="dialout", MODE="0660"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="0acd", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"

# MagTek eDynamo, tDynamo, mDynamo (magtek-edynamo): HID. Vendor 0801; products 001a, 001c, 001e. Source: the maker's demonstration in JavaScript. The rules are those below.
# MagTek DynaFlex, DynaProx (magtek-dynaflex): HID. Vendor 0801; products 2020 to 2024. Source: the maker's manual and its demonstration in JavaScript.
SUBSYSTEM=="tty", ATTRS{idVendor}=="0801", GROUP="dialout", MODE="0660"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="0801", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"

# PAX D180, D200, SP30 (pax-d180): a serial port over USB. Vendor 2fb8; products of the family are not published. Source: other people's udev rules (PROTOCOL.md 1.3).
SUBSYSTEM=="tty", ATTRS{idVendor}=="2fb8", GROUP="dialout", MODE="0660"
SUBSYSTEM=="usb", ENV{DEVTYPE}=="usb_device", ATTR{idVendor}=="2fb8", GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"

LABEL="posbridge_end"
`;
