#!/bin/sh
# The guest's first process: file systems, modules, then the tests, then off. What the tests print is what the host judges.
export PATH=/bin
mkdir -p /proc /sys /dev /tmp /sys/kernel/config
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /dev/pts
mount -t devpts devpts /dev/pts
mount -t tmpfs tmp /tmp
for module in $(cat /modules/order); do
  case $module in
    dummy_hcd.ko) insmod /modules/$module num=3 || echo "TEST-BROKEN insmod $module" ;;
    *) insmod /modules/$module || echo "TEST-BROKEN insmod $module" ;;
  esac
done
mount -t configfs config /sys/kernel/config || echo "TEST-BROKEN configfs"
ifconfig lo 127.0.0.1 up
cd /app
node tests.cjs
echo "TEST-END $?"
poweroff -f
