<?php
/**
 * php mark-paid-worker.php FOLDER LOCKS PAYMENT [PLACE HOOK]: a process that answers one mark-paid call in the shop whose database is in
 * FOLDER. It dies at that hook, before or after everything else that hangs on it.
 */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';

Shop_State::$folder = $argv[1];
Stubs::$locks       = $argv[2];
if ( isset( $argv[5] ) ) {
	$die = array( 'exit_as_if_killed', 10 );
	'before' === $argv[4] ? array_unshift( $GLOBALS['hooks'][ $argv[5] ], $die ) : $GLOBALS['hooks'][ $argv[5] ][] = $die;
}
$response = tillkit_answer_request( 'mark-paid', signed_request( 'mark-paid', json_encode( mark_paid_request( array( 'payment' => $argv[3] ) ) ) ) );
echo json_encode( $response->data );

function exit_as_if_killed(): void {
	exit( 9 );
}
