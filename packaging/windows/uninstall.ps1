<#
.SYNOPSIS
Removes the service and the program. Configuration, data folder and logs stay: payments may still be open in the journal.

.DESCRIPTION
Run it in PowerShell as an administrator:

    powershell -ExecutionPolicy Bypass -File uninstall.ps1

No real Windows has run this script yet.
#>
$ErrorActionPreference = "Stop"

$folder = "C:\Program Files\posbridge"
$installed = "$folder\posbridge.exe"
$data = "C:\ProgramData\posbridge\data"

$user = New-Object Security.Principal.WindowsPrincipal([Security.Principal.WindowsIdentity]::GetCurrent())
if (-not $user.IsInRole([Security.Principal.WindowsBuiltInRole]::Administrator)) { throw "run this in PowerShell as an administrator" }

$service = Get-Service -Name posbridge -ErrorAction SilentlyContinue
if ($service) {
  if ($service.Status -ne "Stopped") {
    Stop-Service -Name posbridge
    $service.WaitForStatus("Stopped", [TimeSpan]::FromSeconds(90))
  }
  & $installed service remove
  if ($LASTEXITCODE -ne 0) { throw "posbridge service remove ended with $LASTEXITCODE" }
}
Remove-Item -LiteralPath $folder -Recurse -Force -ErrorAction SilentlyContinue
Remove-MpPreference -ExclusionPath $data -ErrorAction SilentlyContinue
Write-Output "kept: C:\ProgramData\posbridge (configuration, journal, logs)"
