<?php
/**
 * The script of php -S: serves the module in the shop whose database is in the folder TILLKIT_SHOP, at the address TILLKIT_SHOP_URL. The header X-Customer says
 * whose session it is, and X-Employee who works in the administration.
 */

require_once __DIR__ . '/stubs/load.php';
$get  = $_GET;
$post = $_POST;
start_request();
Db::$folder = getenv( 'TILLKIT_SHOP' );
list( $_GET, $_POST ) = array( $get, $post );
if ( isset( $_SERVER['HTTP_X_CUSTOMER'] ) ) {
	sign_in( (int) $_SERVER['HTTP_X_CUSTOMER'] );
}
if ( isset( $_SERVER['HTTP_X_EMPLOYEE'] ) ) {
	Context::getContext()->employee = (object) array( 'id' => (int) $_SERVER['HTTP_X_EMPLOYEE'] );
}

/** The shop makes a controller, lets it act, and then makes the page. */
function run_controller( string $file, string $class ): string {
	require_once __DIR__ . "/../tillkit/controllers/$file.php";
	$controller = new $class();
	if ( $controller instanceof ModuleAdminController && ! $controller->checkToken() ) {
		return 'Invalid token';
	}
	$controller->postProcess();
	$controller->initContent();
	return isset( $controller->template ) ? implode( "\n", Context::getContext()->smarty->assigned ) : $controller->content;
}

$name = (string) ( $_GET['controller'] ?? '' );
try {
	if ( 'AdminTillkit' === $name ) {
		echo null === Context::getContext()->employee ? 'Sign in' : run_controller( 'admin/AdminTillkitController', 'AdminTillkitController' );
	} elseif ( 'module' === ( $_GET['fc'] ?? '' ) && in_array( $name, array( 'call', 'pay', 'return', 'status' ), true ) ) {
		echo run_controller( "front/$name", 'Tillkit' . ucfirst( $name ) . 'ModuleFrontController' );
	} else {
		http_response_code( 404 );
	}
} catch ( Request_Ended $ended ) {
	header( "Location: {$ended->where}", true, 302 );
}
