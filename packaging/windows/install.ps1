<#
.SYNOPSIS
Installs posbridge as a service of Windows.

.DESCRIPTION
Puts the program into C:\Program Files\posbridge and lets it make its own service (posbridge service install).
Run it in PowerShell as an administrator, in the folder that holds the program:

    powershell -ExecutionPolicy Bypass -File install.ps1
    powershell -ExecutionPolicy Bypass -File install.ps1 -Sha256 THE-PUBLISHED-CHECKSUM -Start

No real Windows has run this script yet. Each step is one documented command; docs/windows.md says them one by one.
#>
param(
  # The program to install.
  [string]$Program = (Join-Path $PSScriptRoot "posbridge-win-x64.exe"),
  # Its checksum, as published. Another program is not installed.
  [string]$Sha256 = "",
  # Starts the service at once. It needs a configuration then.
  [switch]$Start,
  # Keeps Microsoft Defender out of the data folder.
  [switch]$ExcludeFromDefender
)
$ErrorActionPreference = "Stop"

$folder = "C:\Program Files\posbridge"
$installed = "$folder\posbridge.exe"
$config = "C:\ProgramData\posbridge\posbridge.yaml"
$data = "C:\ProgramData\posbridge\data"

$user = New-Object Security.Principal.WindowsPrincipal([Security.Principal.WindowsIdentity]::GetCurrent())
if (-not $user.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) { throw "run this in PowerShell as an administrator" }
if (-not (Test-Path -LiteralPath $Program)) { throw "there is no $Program" }
if ($Sha256 -ne "") {
  $found = (Get-FileHash -LiteralPath $Program -Algorithm SHA256).Hash
  if ($found -ne $Sha256) { throw "$Program has the checksum $found and not $Sha256" }
}

# A program that runs cannot be replaced.
$service = Get-Service -Name posbridge -ErrorAction SilentlyContinue
$wasRunning = $service -and $service.Status -ne "Stopped"
if ($wasRunning) {
  Stop-Service -Name posbridge
  $service.WaitForStatus("Stopped", [TimeSpan]::FromSeconds(90))
}

New-Item -ItemType Directory -Force -Path $folder | Out-Null
Copy-Item -LiteralPath $Program -Destination $installed -Force
# Windows marks what came from the internet, and asks before it runs it.
Unblock-File -LiteralPath $installed

& $installed service install
if ($LASTEXITCODE -ne 0) { throw "posbridge service install ended with $LASTEXITCODE" }

if ($ExcludeFromDefender) { Add-MpPreference -ExclusionPath $data }

if ($Start -or $wasRunning) {
  & $installed check-config $config
  if ($LASTEXITCODE -ne 0) { throw "the configuration has problems; mend them, then: sc.exe start posbridge" }
  Start-Service -Name posbridge
  & $installed service status
}
