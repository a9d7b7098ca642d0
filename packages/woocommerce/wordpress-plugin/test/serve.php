<?php
/** The script of php -S: serves the routes of the plugin in the shop whose database is in the folder TILLKIT_SHOP. */

require_once __DIR__ . '/stubs/load.php';
Shop_State::$folder = getenv( 'TILLKIT_SHOP' );
do_action( 'rest_api_init' );

$path    = substr( (string) parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ), strlen( '/wp-json/' ) );
$request = new WP_REST_Request( file_get_contents( 'php://input' ), getallheaders() );
$answer  = isset( $routes[ $path ] )
	? $routes[ $path ]['callback']( $request )
	: new WP_REST_Response( array( 'code' => 'rest_no_route', 'message' => 'No route.', 'data' => array( 'status' => 404 ) ), 404, array() );
http_response_code( $answer->status );
header( 'Content-Type: application/json' );
foreach ( $answer->headers as $name => $value ) {
	header( "$name: $value" );
}
echo json_encode( $answer->data );
