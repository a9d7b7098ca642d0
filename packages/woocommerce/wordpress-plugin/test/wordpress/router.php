<?php
/** The script of php -S: files of the site, then the scripts and styles that the release keeps apart, then WordPress itself. */

$path   = (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
$file   = $_SERVER['DOCUMENT_ROOT'] . $path;
$asset  = getenv( 'TILLKIT_ASSETS' ) . $path;
$types  = array( 'css' => 'text/css', 'js' => 'text/javascript', 'svg' => 'image/svg+xml', 'png' => 'image/png', 'woff2' => 'font/woff2' );
$ending = pathinfo( $path, PATHINFO_EXTENSION );

if ( '/' !== $path && ( is_file( $file ) || is_file( rtrim( $file, '/' ) . '/index.php' ) ) ) {
	return false;
}
if ( isset( $types[ $ending ] ) && false === strpos( $path, '..' ) ) {
	if ( ! is_file( $asset ) ) {
		http_response_code( 404 );
		return true;
	}
	header( 'Content-Type: ' . $types[ $ending ] );
	readfile( $asset );
	return true;
}
$_SERVER['SCRIPT_NAME']     = '/index.php';
$_SERVER['PHP_SELF']        = '/index.php';
$_SERVER['SCRIPT_FILENAME'] = $_SERVER['DOCUMENT_ROOT'] . '/index.php';
chdir( $_SERVER['DOCUMENT_ROOT'] );
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
