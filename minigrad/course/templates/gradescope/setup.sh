#!/bin/sh
# Runs once, as root, when Gradescope builds the image. MINIGRAD_AUTOGRADER and MINIGRAD_PYTHON are
# for trying it elsewhere: another folder, a Python that has what requirements.txt names.
set -eu
home=${MINIGRAD_AUTOGRADER:-/autograder}
# the checks and the key are root's; a submission runs as another user
chmod -R go= "$home/source"
[ -z "${MINIGRAD_PYTHON:-}" ] || exit 0

new_enough='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
look() {
    for python in python3 python3.14 python3.13 python3.12 python3.11; do
        if "$python" -c "$new_enough" 2> /dev/null; then
            echo "$python"
            return
        fi
    done
}
export DEBIAN_FRONTEND=noninteractive
if [ -z "$(look)" ]; then
    apt-get update
    apt-get install -y python3-venv
fi
if [ -z "$(look)" ]; then
    apt-get install -y python3.11 python3.11-venv
fi
"$(look)" -m venv "$home/venv"
"$home/venv/bin/python" -m pip install --quiet -r "$home/source/requirements.txt"
