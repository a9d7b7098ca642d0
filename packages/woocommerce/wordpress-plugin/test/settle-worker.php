<?php
/** php settle-worker.php FOLDER LOCKS PAYMENT: a process of the shop that answers one settle call. */

require __DIR__ . '/stubs/load.php';
require __DIR__ . '/fixture.php';

Shop_State::$folder = $argv[1];
Stubs::$locks       = $argv[2];
$response           = tillkit_answer_settle( signed_request( 'settle', json_encode( settle_request( array( 'payment' => $argv[3] ) ) ) ) );
echo json_encode( $response->data );
