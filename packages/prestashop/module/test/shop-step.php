<?php
/**
 * php shop-step.php FOLDER STEP [JSON]: one act in the shop whose database is in FOLDER, for the tests of the checkout server.
 * open (settings and secret), place (totals), owner (state), order, mails. Prints JSON.
 */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';

list( , $folder, $step ) = $argv;
$input                   = json_decode( $argv[3] ?? '{}', true );
Db::$folder              = $folder;

/** @return mixed */
function run_step( string $step, array $input, string $folder ) {
	if ( 'open' === $step ) {
		open_shop( $folder );
		tillkit_host()->change_settings( $input['settings'] ?? array() );
		tillkit_save_link_secrets( $input['secret'] ?? LINK_SECRET, '' );
		return true;
	}
	start_request();
	sign_in( 7 );
	if ( 'place' === $step ) {
		return tillkit_start_payment( place_order( $input['totals'] ?? array( '5000.000000' ) ), time() );
	}
	if ( 'owner' === $step ) {
		owner_sets( (int) $input['state'] );
	}
	if ( 'mails' === $step ) {
		return sent_mails();
	}
	return array( 'orders' => rows( 'SELECT * FROM ps_orders' ), 'payments' => rows( 'SELECT * FROM ps_order_payment' ), 'row' => rows( 'SELECT * FROM ps_tillkit_order' ), 'stock' => rows( 'SELECT quantity FROM ps_stock' )[0]['quantity'] );
}

echo json_encode( run_step( $step, $input, $folder ) );
